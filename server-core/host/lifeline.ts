const POLL_MS = 500

/**
 * Calls `end` once when the process that started this one has ended: killed processes cannot take their children
 * with them. It looks at the parent's pid twice a second, and at the channel to the parent where there is one.
 * Returns the function that stops looking. The watch alone keeps no process alive.
 *
 * @param parent who started this process, if known: a parent that ended before the watch began is noticed
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

/** Windows keeps the number of an ended parent, so its existence is checked as well. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it is there and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
