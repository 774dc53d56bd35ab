import { execFile, type ChildProcess } from 'node:child_process'
import type { ProcessIdentity } from './process-tree.ts'
import { ProcessTree } from './process-tree.ts'

/** Milliseconds a process has after its stdin ended, and again after SIGTERM, before the next step. */
export const GRACE_MS = 800
/** Milliseconds that the children of a server have to end, once the server itself has ended. */
const ORPHAN_GRACE_MS = 500
/** Milliseconds that a process lives on after its end was asked for, so that what it started is found first. */
const ORPHAN_SCAN_MS = 200
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

/** What must be known of the first process of a tree. */
export type TreeRoot = Pick<ChildProcess, 'pid' | 'kill'> & {
  readonly stdin?: { end(): unknown } | null
}

export type Ending = {
  readonly child: TreeRoot
  /** Resolves when the child itself has ended. */
  readonly exited: Promise<unknown>
  /** The child, if it could be looked up when it was started. */
  readonly leader: ProcessIdentity | undefined
  readonly mark: string
  /** Milliseconds before each harder step. */
  readonly graceMs: number
}

/**
 * Ends a child and everything it started (transports: stdio, shutdown): its stdin is closed, after `graceMs` all that
 * is found of it gets SIGTERM, after `graceMs` more SIGKILL. What is left when the child itself has ended ends sooner.
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
  await endRest(tree, gone ? Math.min(graceMs, ORPHAN_GRACE_MS) : graceMs)
  await within(exited, graceMs)
  living.delete(pid)
}

/**
 * Kills a child and ends what it started: the child gets SIGKILL at once, the others SIGTERM, and SIGKILL after
 * `graceMs`. For a child that has ended it ends what that left. Never throws.
 */
export async function killTree({ child, exited, leader, mark, graceMs }: Ending): Promise<void> {
  const { pid } = child
  if (pid === undefined) return
  const tree = new ProcessTree({ known: [], ...(leader && { leader }), mark })
  // What has neither mark nor session of it is found by its parent alone.
  await within(tree.look(), ORPHAN_SCAN_MS)
  if (process.platform === 'win32') await terminateByParents(pid)
  else child.kill('SIGKILL')
  await within(exited, KILL_MS)
  await endRest(tree, graceMs)
  living.delete(pid)
}

/** Asks what is left of a tree to end, then kills it. */
async function endRest(tree: ProcessTree, graceMs: number): Promise<void> {
  let left = await tree.look()
  if (process.platform !== 'win32' && left.length > 0) {
    await tree.signal('SIGTERM')
    await emptied(tree, graceMs)
    left = await tree.look()
  }
  for (const until = performance.now() + KILL_MS; left.length > 0; left = await tree.look()) {
    if (performance.now() > until) break
    await tree.signal('SIGKILL')
    await pause(POLL_MS)
  }
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
