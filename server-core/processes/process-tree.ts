import { listProcesses, markedAmong, processOf, type ProcessRow } from './process-table.ts'

/** One process for certain: a pid alone may belong to another by now. */
export type ProcessIdentity = Pick<ProcessRow, 'pid' | 'startedAt'>

/** What is looked for. */
export type TreeRoots = {
  /** Processes that are known to belong to it; those that have ended, or are another by now, count for nothing. */
  readonly known: readonly ProcessIdentity[]
  /**
   * The leader of the group and session that it is in. Only for who holds the leader's handle, or did a moment ago:
   * the number may lead another group later.
   */
  readonly leader?: ProcessIdentity
  /** Those that carry this mark belong to it. */
  readonly mark: string
}

/** The processes of a tree, found by parent, group, session and mark, and found again by pid and start time. */
export class ProcessTree {
  readonly #roots: TreeRoots
  #found: readonly ProcessIdentity[]

  constructor(roots: TreeRoots) {
    this.#roots = roots
    this.#found = roots.known
  }

  /** Looks at all processes of the system. What was found once stays in view, whatever became of its parents. */
  async look(): Promise<readonly ProcessIdentity[]> {
    const rows = (await listProcesses()).filter(({ pid }) => pid !== process.pid)
    const { leader, mark } = this.#roots
    // What began before the leader did is not of its tree: most of a system need not be asked.
    const younger = leader === undefined ? rows : rows.filter((row) => row.startedAt >= leader.startedAt)
    const marked = await markedAmong(younger, mark)
    this.#found = belowRoots(younger, { known: this.#found, ...(leader && { leader }) }, marked)
    return this.#found
  }

  /** Those of what was found that live still; asks about them alone. */
  async living(): Promise<readonly ProcessIdentity[]> {
    if (process.platform !== 'linux') return this.look()
    const rows = await Promise.all(this.#found.map(({ pid }) => processOf(pid)))
    this.#found = this.#found.filter(({ startedAt }, index) => rows[index]?.startedAt === startedAt)
    return this.#found
  }

  /** Sends a signal to all that live. */
  async signal(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    for (const { pid } of await this.living()) {
      try {
        process.kill(pid, signal)
      } catch {
        // It ended in the meantime, as intended; or it is another user's, which our signals do not reach.
      }
    }
  }
}

/** The processes that belong to a tree, with all their children. */
export function belowRoots(
  rows: readonly ProcessRow[],
  { known, leader }: Pick<TreeRoots, 'known' | 'leader'>,
  marked: ReadonlySet<number>,
): ProcessRow[] {
  const started = new Map(known.map(({ pid, startedAt }) => [pid, startedAt]))
  if (leader !== undefined) started.set(leader.pid, leader.startedAt)
  // A number that another process has by now leads nowhere.
  const isLeaders = !rows.some(({ pid, startedAt }) => pid === leader?.pid && startedAt !== leader.startedAt)
  const inGroup = ({ group, session }: ProcessRow): boolean =>
    leader !== undefined && isLeaders && (group === leader.pid || session === leader.pid)
  const found = new Map<number, ProcessRow>()
  for (const row of rows) {
    if (started.get(row.pid) === row.startedAt || marked.has(row.pid) || inGroup(row)) found.set(row.pid, row)
  }
  // On Windows a process keeps the number of an ended parent, so that number is looked up beside the rows.
  const isChild = ({ parent, startedAt }: ProcessRow): boolean => {
    const since =
      found.get(parent)?.startedAt ?? (isLeaders && parent === leader?.pid ? leader.startedAt : undefined)
    return since !== undefined && since <= startedAt
  }
  for (let before = -1; before < found.size;) {
    before = found.size
    for (const row of rows) if (!found.has(row.pid) && isChild(row)) found.set(row.pid, row)
  }
  return [...found.values()]
}
