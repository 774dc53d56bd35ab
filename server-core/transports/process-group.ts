import { spawn, type ChildProcess } from 'node:child_process'

/** Milliseconds a process has after its stdin ended, and again after SIGTERM, before the next step. */
export const GRACE_MS = 2_000
/** Milliseconds that what a server left behind has to end, once the server itself is gone. */
const ORPHAN_GRACE_MS = 500
const POLL_MS = 20

const living = new Set<number>()
let watchesOwnExit = false

/** Remembers a started group, so that it does not outlive this process when that exits without closing it. */
export function registerGroup(pid: number): void {
  living.add(pid)
  if (watchesOwnExit) return
  watchesOwnExit = true
  process.once('exit', () => {
    for (const group of living) signalGroup(group, 'SIGKILL')
  })
}

/**
 * Ends a child and everything it started (transports: stdio, shutdown): its stdin is closed, after `graceMs` its
 * group gets SIGTERM, after `graceMs` more SIGKILL. What is left of the group when the child itself is gone ends
 * sooner. On Windows the process tree is terminated after the first wait. Never throws.
 */
export async function endProcessGroup(
  child: ChildProcess,
  exited: Promise<unknown>,
  graceMs: number = GRACE_MS,
): Promise<void> {
  const { pid } = child
  if (pid === undefined) return
  child.stdin?.end()
  let gone = await within(exited, graceMs)
  if (process.platform === 'win32') {
    if (!gone) await terminateTree(pid)
  } else {
    if (isGroupAlive(pid)) signalGroup(pid, 'SIGTERM')
    if (!gone) gone = await within(exited, graceMs)
    if (gone) await groupEnds(pid, Math.min(graceMs, ORPHAN_GRACE_MS))
    if (isGroupAlive(pid)) signalGroup(pid, 'SIGKILL')
  }
  await within(exited, graceMs)
  living.delete(pid)
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // Already gone, which is what was wanted.
  }
}

function isGroupAlive(pid: number): boolean {
  try {
    process.kill(-pid, 0)
    return true
  } catch {
    return false
  }
}

async function groupEnds(pid: number, patienceMs: number): Promise<void> {
  for (let waited = 0; waited < patienceMs && isGroupAlive(pid); waited += POLL_MS) await pause(POLL_MS)
}

function terminateTree(pid: number): Promise<void> {
  return new Promise((resolve) => {
    const killer = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], {
      stdio: 'ignore',
      windowsHide: true,
    })
    killer.once('error', () => resolve())
    killer.once('exit', () => resolve())
  })
}

async function within(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  const inTime = await Promise.race([promise.then(() => true), late])
  clearTimeout(timer)
  return inTime
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
