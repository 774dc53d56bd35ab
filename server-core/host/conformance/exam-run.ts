import type { Catalogue } from '../../conformance/catalogue/catalogue.ts'
import type { ReportedCheck } from '../../conformance/report/report-schema.ts'
import type { CheckResult, Cell } from '../../conformance/verdict.ts'
import { messageOf } from '../../protocol/error-message.ts'
import type { Masking } from '../../capture/redaction.ts'
import type { CheckDetail, ExamState, StartExamInput } from '../contract/conformance.ts'
import { checkDetail, checkRows } from './check-views.ts'
import { RunTable } from './run-table.ts'

export type ExamRunOptions = {
  readonly input: StartExamInput
  readonly program: string
  readonly masking: Masking
  readonly version: string
  readonly changed: () => void
}

/** Milliseconds after which an exam that nobody stops ends. */
const BUDGET_MS = 60 * 60_000

/** An exam server for a client that a person uses, and what the client did so far. */
export class ExamRun {
  readonly #options: ExamRunOptions
  readonly #startedAt = Date.now()
  readonly #stopped = new AbortController()
  readonly #listening = Promise.withResolvers<undefined>()
  readonly #cell: Cell
  #phase: ExamState['phase'] = 'waiting'
  #url = ''
  #problem: string | undefined
  #client: ExamState['client']
  #methods = new Map<string, number>()
  #table: RunTable | undefined
  #catalogue: Catalogue | undefined
  #done: Promise<void> = Promise.resolve()

  constructor(options: ExamRunOptions) {
    this.#options = options
    const { revision, transport } = options.input
    this.#cell = { side: 'client', revision, transport }
  }

  get isUnderWay(): boolean {
    return this.#phase !== 'ended'
  }

  /** Resolves when the server listens. Rejects if it cannot. */
  async start(): Promise<void> {
    this.#done = this.#examine()
    await this.#listening.promise
  }

  /** Ends the server; what was found stays. */
  async stop(): Promise<void> {
    this.#stopped.abort(new Error('the exam was stopped'))
    await this.#done
  }

  state(): ExamState {
    const { revision, transport } = this.#cell
    const table = this.#table
    return {
      phase: this.#phase,
      url: this.#url,
      revision,
      transport,
      startedAt: this.#startedAt,
      ...(this.#problem !== undefined && { problem: this.#problem }),
      ...(this.#client !== undefined && { client: this.#client }),
      methods: [...this.#methods].map(([method, count]) => ({ method, count })),
      rows:
        table === undefined || this.#catalogue === undefined
          ? []
          : checkRows(table, this.#cell, this.#catalogue, undefined),
    }
  }

  /** Everything about one check; undefined if the exam has none of that id. */
  async check(id: string): Promise<CheckDetail | undefined> {
    const table = this.#table
    const catalogue = this.#catalogue
    const row = table?.row(this.#cell, id)
    if (table === undefined || catalogue === undefined || row === undefined) return undefined
    const { clauseOf } = await import('./engine.ts')
    const repeat = row.check?.repeat ?? ''
    return checkDetail(row, {
      table,
      cell: this.#cell,
      catalogue,
      summaries: [],
      before: undefined,
      clauseOf,
      repeat,
    })
  }

  async #examine(): Promise<void> {
    const { masking, program, version, changed } = this.#options
    try {
      const { planRun, reportedCheck, visit } = await import('./engine.ts')
      const planned = await planRun(
        { suite: 'ci', slow: false, ends: false, destructive: false, seed: 0 },
        {
          signal: this.#stopped.signal,
          masking,
          program,
          budgetMs: BUDGET_MS,
          versions: { patchbay: version, node: process.version.slice(1), platform: process.platform },
        },
      )
      const { catalogue } = planned.options
      this.#catalogue = catalogue
      const examined = { side: 'client', name: 'client', target: [], words: [] } as const
      const { repeat } = planned.parts(0, examined, undefined)
      const show = (results: readonly CheckResult[]): void => {
        const table = new RunTable(catalogue)
        // Checks that would have to start the client say nothing of this one.
        const seen = results.filter(({ verdict }) => verdict !== 'notApplicable')
        const checks = seen.map((result): ReportedCheck =>
          reportedCheck(result, { catalogue, masking, repeat }),
        )
        for (const check of checks) table.set(check)
        this.#table = table
        changed()
      }
      const report = await visit(
        planned.options,
        this.#cell,
        (url) => {
          this.#url = url
          this.#listening.resolve(undefined)
          changed()
        },
        {
          idleMs: Infinity,
          onResults: (results, received, peer) => {
            this.#phase = 'connected'
            if (peer !== undefined)
              this.#client = {
                name: masking.text(peer.name),
                ...(peer.version !== undefined && { version: masking.text(peer.version) }),
              }
            this.#methods = new Map()
            for (const method of received) this.#methods.set(method, (this.#methods.get(method) ?? 0) + 1)
            show(results)
          },
        },
      )
      if (report.results.length > 0) show(report.results)
    } catch (error) {
      this.#problem = masking.text(messageOf(error))
      this.#listening.reject(error)
    } finally {
      this.#phase = 'ended'
      changed()
    }
  }
}
