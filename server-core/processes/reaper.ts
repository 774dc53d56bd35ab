import { readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { JournalHead } from './process-journal.ts'
import { runMark } from './process-mark.ts'
import { bootName, processOf } from './process-table.ts'
import { ProcessTree, type ProcessIdentity } from './process-tree.ts'

/** Milliseconds between the polite end and the other. */
const GRACE_MS = 1_000
const KILL_MS = 2_000
const POLL_MS = 50

/** What one run that was killed had left. */
export type Reaped = {
  /** How many processes lived still. */
  readonly count: number
  /** The commands that a server was started by and that had not ended, for people. */
  readonly commands: readonly string[]
}

type Entries = {
  readonly head: JournalHead
  readonly open: readonly { readonly identity: ProcessIdentity; readonly command: string }[]
}

/**
 * Ends what runs that were killed have left, by their journals: processes that carry the run's mark, and those that
 * were written down and have their pid and start time still, with their children. Journals of runs that live are left
 * alone. Gives the runs of which something was left.
 *
 * @param folder where the journals are; it need not be there
 */
export async function reapLeftovers(folder: string): Promise<Reaped[]> {
  const names = await readdir(folder).catch(() => [])
  const reaped = await Promise.all(
    names.filter((name) => name.endsWith('.jsonl')).map((name) => reap(path.join(folder, name))),
  )
  return reaped.filter((each) => each !== undefined)
}

async function reap(file: string): Promise<Reaped | undefined> {
  const entries = entriesOf(await readFile(file, 'utf8').catch(() => ''))
  let reaped: Reaped | undefined
  if (entries !== undefined) {
    const { head, open } = entries
    const isThisBoot = head.boot === bootName()
    if (isThisBoot && (await processOf(head.host.pid))?.startedAt === head.host.startedAt) return undefined
    // Start times of another boot say nothing; the mark alone does, and nothing carries it any more.
    if (isThisBoot) {
      const count = await endAll(
        new ProcessTree({ known: open.map(({ identity }) => identity), mark: runMark(head.run) }),
      )
      if (count > 0) reaped = { count, commands: open.map(({ command }) => command) }
    }
  }
  await rm(file, { force: true })
  return reaped
}

/** Returns how many there were. */
async function endAll(tree: ProcessTree): Promise<number> {
  const { length } = await tree.look()
  if (length === 0) return 0
  await tree.signal('SIGTERM')
  const politeUntil = performance.now() + GRACE_MS
  while ((await tree.living()).length > 0 && performance.now() < politeUntil) await pause()
  const until = performance.now() + KILL_MS
  while ((await tree.look()).length > 0 && performance.now() < until) {
    await tree.signal('SIGKILL')
    await pause()
  }
  return length
}

/** What a journal says; undefined if its beginning was never written. A line that was cut off counts for nothing. */
function entriesOf(text: string): Entries | undefined {
  const [first = '', ...lines] = text.split('\n')
  const head = parsed(first)
  if (!isRecord(head) || !isRun(head['run']) || !isIdentity(head['host'])) return undefined
  const { run, boot, host } = head
  const open = new Map<string, { identity: ProcessIdentity; command: string }>()
  for (const line of lines.map(parsed)) {
    if (!isRecord(line)) continue
    const { started, ended, command } = line
    if (isIdentity(started)) {
      open.set(keyOf(started), { identity: started, command: typeof command === 'string' ? command : '' })
    }
    if (isIdentity(ended)) open.delete(keyOf(ended))
  }
  return { head: { run, boot: String(boot), host }, open: [...open.values()] }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return undefined
  }
}

function keyOf({ pid, startedAt }: ProcessIdentity): string {
  return `${pid}:${startedAt}`
}

/** Anything shorter could be the beginning of another's mark. */
function isRun(value: unknown): value is string {
  return typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isIdentity(value: unknown): value is ProcessIdentity {
  return isRecord(value) && Number.isSafeInteger(value['pid']) && Number.isSafeInteger(value['startedAt'])
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_MS))
}
