import { spawn, type ChildProcess } from 'node:child_process'

const GRACE_MS = 300

/** Ends a program that leads a group of its own, with everything in it: politely, and soon after by force. */
export function endTree(child: ChildProcess): void {
  const { pid } = child
  if (pid === undefined) return
  if (process.platform === 'win32') {
    if (child.exitCode === null) spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' })
    return
  }
  if (!signalGroup(pid, 'SIGTERM')) return
  setTimeout(() => signalGroup(pid, 'SIGKILL'), GRACE_MS).unref()
}

/** Whether somebody was in the group. */
function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal)
    return true
  } catch {
    return false
  }
}
