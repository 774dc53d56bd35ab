import { execFile, type ChildProcess } from 'node:child_process'
import type { ProcessIdentity } from './process-tree.ts'
import { ProcessTree } from './process-tree.ts'

/** Milliseconds a process has after its stdin ended, and again after SIGTERM, before the next step. */
export const GRACE_MS = 800
/** Milliseconds that what a server left behind has to end, once the server itself is gone. */
const ORPHAN_GRACE_MS = 500
/** Milliseconds after which what cannot be killed (it waits in the system's kernel, or is another user's) is left. */
const KILL_MS = 2_000
const POLL_MS = 20

const living = new Set<number>()
let watchesOwnExit = false

/** Remembers a started group, so that it does not outlive this process when that exits without closing it. */
export function registerGroup(pid: number): void {
  living.add(pid)
  if (watchesOwnExit) return
  watchesOwnExit = true
  process.once('exit', () => {
    for (const group of living) killGroup(group)
  })
}

export type Ending = {
  readonly child: ChildProcess
  /** Resolves when the child itself is gone. */
  readonly exited: Promise<unknown>
  /** The child, if it could be looked up when it was started. */
  readonly leader: ProcessIdentity | undefined
  readonly mark: string
  /** Milliseconds before each harder step. */
  readonly graceMs: number
}

/**
 * Ends a child and everything it started (transports: stdio, shutdown): its stdin is closed, after `graceMs` all that
 * is found of it gets SIGTERM, after `graceMs` more SIGKILL. What is left when the child itself is gone ends sooner.
 * On Windows, where nothing can be asked politely, it is terminated after the first wait. Never throws.
 */
export async function endTree({ child, exited, leader, mark, graceMs }: Ending): Promise<void> {
  const { pid } = child
  if (pid === undefined) return
  const tree = new ProcessTree({ known: [], ...(leader && { leader }), mark })
  const isPolite = process.platform !== 'win32'
  // Who loses its parent when the child goes is known by then.
  if (isPolite) await tree.look()
  child.stdin?.end()
  const gone = await within(exited, graceMs)
  if (!isPolite && !gone) await terminateByParents(pid)
  let left = await tree.look()
  if (isPolite && left.length > 0) {
    await tree.signal('SIGTERM')
    await emptied(tree, gone ? Math.min(graceMs, ORPHAN_GRACE_MS) : graceMs)
    left = await tree.look()
  }
  for (const until = performance.now() + KILL_MS; left.length > 0; left = await tree.look()) {
    if (performance.now() > until) break
    await tree.signal('SIGKILL')
    await pause(POLL_MS)
  }
  await within(exited, graceMs)
  living.delete(pid)
}

/** Waits until nothing of the tree lives, at most that long. */
async function emptied(tree: ProcessTree, patienceMs: number): Promise<void> {
  const until = performance.now() + patienceMs
  while ((await tree.living()).length > 0 && performance.now() < until) await pause(POLL_MS)
}

function killGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // Already gone, which is what was wanted.
  }
}

function terminateByParents(pid: number): Promise<void> {
  return new Promise((resolve) => {
    execFile('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true }, () => resolve())
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
