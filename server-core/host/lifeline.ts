const POLL_MS = 500

/**
 * Calls `end` once when the process that started this one is gone: killed processes cannot take their children
 * with them. It looks at the parent's pid twice a second, and at the channel to the parent where there is one.
 * Gives the function that stops looking. The watch alone keeps no process alive.
 *
 * @param parent who started this process, if it was told: a parent that is gone before the watch begins is noticed
 * too then
 */
export function endWithParent(end: () => void, parent: number = process.ppid): () => void {
  let done = false
  const stop = (): void => {
    done = true
    clearInterval(timer)
    process.off('disconnect', finish)
  }
  const finish = (): void => {
    if (done) return
    stop()
    end()
  }
  const timer = setInterval(() => {
    if (process.ppid !== parent || !isAlive(parent)) finish()
  }, POLL_MS)
  timer.unref()
  process.on('disconnect', finish)
  return stop
}

/** Windows keeps the number of a parent that is gone, so its life is asked for as well. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it is there and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
