import { spawn } from 'node:child_process'

/** Waits until its stdin ends, then ends the process group it was given: politely first, two seconds later for good. */
const SCRIPT = 'read _; kill -s TERM -- "-$1"; sleep 2; kill -s KILL -- "-$1"'

/**
 * Sees to it that a server's process group ends when this process is killed and can do nothing any more: a small
 * process of the system waits at the other end of a pipe that closes with us. Gives the function that calls it off,
 * for when the server has ended; it resolves when the guard is gone. On Windows there is no such guard.
 *
 * @param pid the leader of the group
 */
export function guardGroup(pid: number): () => Promise<void> {
  if (process.platform === 'win32') return () => Promise.resolve()
  const guard = spawn('/bin/sh', ['-c', SCRIPT, 'patchbay-guard', String(pid)], {
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
    // A signal to our own group must not end the guard before its time.
    detached: true,
  })
  const gone = new Promise<void>((resolve) => {
    guard.once('exit', () => resolve())
    // Without a shell there is no guard, and everything else works.
    guard.on('error', () => resolve())
  })
  guard.stdin.on('error', () => undefined)
  guard.unref()
  return () => {
    guard.kill('SIGKILL')
    return gone
  }
}
