/** Milliseconds in which several changes are reported together. */
const TOGETHER_MS = 60

/**
 * Watches the files that hold stored servers and approvals, which `patchbay servers` changes while the window is open.
 *
 * @param files may not exist yet; their folders do
 * @param onChange runs after each change, also after those of this process
 * @returns stops watching
 */
export async function watchStoredChanges(
  files: readonly string[],
  onChange: () => void,
): Promise<() => Promise<void>> {
  const { watch } = await import('chokidar')
  let timer: NodeJS.Timeout | undefined
  const watcher = watch([...files], { ignoreInitial: true })
  watcher.on('all', () => {
    timer ??= setTimeout(() => {
      timer = undefined
      onChange()
    }, TOGETHER_MS)
  })
  // Where files cannot be watched, changes are seen when the servers are listed the next time.
  watcher.on('error', () => undefined)
  await new Promise<void>((resolve) => watcher.once('ready', resolve))
  return async () => {
    clearTimeout(timer)
    await watcher.close()
  }
}
