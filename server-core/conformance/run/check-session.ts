import type { Cell, CheckResult } from '../verdict.ts'
import { CellChecks } from './cell-checks.ts'
import { openSubject, type OpenSubject } from './open-subject.ts'
import { selectChecks } from './select-checks.ts'
import type { RunOptions, RunReport } from './run-options.ts'

/**
 * A peer that is examined check by check, in whatever order they are asked for. It is discovered once; connections and
 * frames are shared by the checks as in a whole run.
 */
export class CheckSession {
  readonly #subject: OpenSubject
  readonly #cells: readonly CellChecks[]
  readonly #underWay = new Set<Promise<unknown>>()

  private constructor(subject: OpenSubject) {
    const { options, pool, signal, subjectRun } = subject
    this.#subject = subject
    this.#cells = subjectRun.cells.map((each) => new CellChecks(each, { options, pool, signal }))
  }

  /** Discovers what the peer supports. */
  static async open(options: RunOptions): Promise<CheckSession> {
    return new CheckSession(await openSubject(options))
  }

  /** The cells that can be examined. */
  get cells(): readonly Cell[] {
    return this.#cells.map(({ cell }) => cell)
  }

  get unsupported(): RunReport['unsupported'] {
    return this.#subject.subjectRun.unsupported
  }

  /** What repeats the random choices of the checks. */
  get seed(): number {
    return this.#subject.options.seed
  }

  /** Runs one check in each cell that it belongs to. A passive one reads the frames that were seen until now. */
  async examine(id: string): Promise<readonly CheckResult[]> {
    const examined = this.#examine(id)
    this.#underWay.add(examined)
    try {
      return await examined
    } finally {
      this.#underWay.delete(examined)
    }
  }

  /** Ends the checks under way, and every connection. */
  async close(): Promise<void> {
    this.#subject.abort(new Error('the run was ended'))
    await Promise.allSettled(this.#underWay)
    await this.#subject.close()
  }

  async #examine(id: string): Promise<readonly CheckResult[]> {
    const { options } = this.#subject
    const only = (each: string, cell: Cell) => each === id && (options.only?.(each, cell) ?? true)
    const perCell = await Promise.all(
      this.#cells.map(async (checks) => {
        const selected = selectChecks({ ...options, only }, checks.cell)
        const passive = selected.filter(({ check }) => check.type === 'passive')
        if (passive.length > 0) await checks.tour()
        const active = selected.filter(({ check }) => check.type !== 'passive')
        const results = await Promise.all(active.map((each) => checks.run(each)))
        return [...results, ...checks.inspect(passive)]
      }),
    )
    return perCell.flat()
  }
}
