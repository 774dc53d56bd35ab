import { randomInt } from 'node:crypto'
import type { Masking } from '../../capture/redaction.ts'
import {
  compareWithBaseline,
  isFailure as hasFailed,
  type Baseline,
} from '../../conformance/report/baseline.ts'
import { checkKey, mergeReports } from '../../conformance/report/merge-reports.ts'
import type { ReportedCheck } from '../../conformance/report/report-schema.ts'
import type { Examined, PlannedRun } from '../../conformance/run/plan-run.ts'
import type { RunEvent, RunOptions } from '../../conformance/run/run-options.ts'
import { examinationId, type Cell } from '../../conformance/verdict.ts'
import { messageOf } from '../../protocol/error-message.ts'
import type { ProcessRegistry } from '../../processes/process-registry.ts'
import type { RunView, StartInput } from '../contract/conformance.ts'
import { adoptLoginPath } from '../processes/login-path.ts'
import type { ReachedServer } from '../servers/servers-service.ts'
import type { FinishedRun, StoredSummary } from './run-store.ts'
import { isFailure, RunTable, withoutSide } from './run-table.ts'

export type ServerRunOptions = {
  readonly input: StartInput
  readonly number: number
  readonly server: ReachedServer
  /** The run whose checks are run again. */
  readonly base: FinishedRun | undefined
  /** The run before. */
  readonly before: StoredSummary | undefined
  readonly baseline: Baseline
  readonly words: (serverName: string) => readonly string[]
  readonly program: string
  readonly masking: Masking
  readonly processes: ProcessRegistry
  readonly version: string
  readonly changed: () => void
  readonly store: (run: FinishedRun) => Promise<void>
}

type Phase = RunView['phase']

/** One run of checks against a server, from its start to its report. */
export class ServerRun {
  readonly number: number
  readonly serverId: string
  readonly serverName: string
  readonly #options: ServerRunOptions
  readonly #startedAt = Date.now()
  readonly #cancelled = new AbortController()
  readonly #done = Promise.withResolvers<undefined>()
  #baseline: Baseline
  #phase: Phase = 'starting'
  #problem: string | undefined
  #table: RunTable | undefined
  #finished: FinishedRun | undefined
  #repeat: (id: string, cell: Cell) => string = () => ''
  #endedAt: number | undefined
  readonly #seed: number
  #repeated = 0
  #isStored = false

  constructor(options: ServerRunOptions) {
    this.#options = options
    this.number = options.number
    this.serverId = options.input.serverId
    this.serverName = options.server.name
    this.#baseline = options.baseline
    this.#seed = options.input.seed ?? randomInt(2 ** 31)
  }

  get isUnderWay(): boolean {
    return this.#phase === 'starting' || this.#phase === 'running'
  }

  /** It ended by itself, and its report is on the disk. */
  get isStored(): boolean {
    return this.#isStored
  }

  /** Undefined before the server was reached. */
  get table(): RunTable | undefined {
    return this.#table
  }

  /** Resolves when it is over. */
  get ended(): Promise<undefined> {
    return this.#done.promise
  }

  /** The command that repeats one check. */
  repeat(id: string, cell: Cell): string {
    return this.#repeat(withoutSide(id), cell)
  }

  cancel(): boolean {
    if (!this.isUnderWay) return false
    this.#cancelled.abort(new Error('the run was cancelled'))
    return true
  }

  /** Marks its failures by what is expected now. */
  compareWith(baseline: Baseline): void {
    this.#baseline = baseline
    const table = this.#table
    if (table === undefined) return
    for (const cell of table.cells) {
      for (const { check } of table.rows(cell)) if (check !== undefined) table.set(this.#marked(check))
    }
  }

  /** Runs the checks. Never rejects: what went wrong is in the view. */
  async start(): Promise<void> {
    try {
      await this.#examine()
      this.#phase = this.#cancelled.signal.aborted ? 'cancelled' : 'ended'
    } catch (error) {
      this.#phase = this.#cancelled.signal.aborted ? 'cancelled' : 'failed'
      this.#problem = this.#options.masking.text(messageOf(error))
    } finally {
      this.#endedAt = Date.now()
      this.#done.resolve(undefined)
    }
  }

  async #examine(): Promise<void> {
    const { input, base, program, masking, version, store, number } = this.#options
    const { planRun, runChecks } = await import('./engine.ts')
    const { signal } = this.#cancelled
    const { again, suite, revisions, transports, grep } = input
    const seed = this.#seed
    const planned = await planRun(
      { suite, slow: false, ends: false, destructive: false, seed, ...(grep !== undefined && { grep }) },
      {
        signal,
        masking,
        program,
        versions: {
          patchbay: version,
          node: process.version.slice(1),
          platform: `${process.platform} ${process.arch}`,
        },
        ...(again !== undefined && base !== undefined && { only: onlyAgain(again, base) }),
      },
    )
    const cells = again === undefined || base === undefined ? {} : cellsOf(again, base)
    const options: RunOptions = {
      ...planned.options,
      ...(revisions !== undefined && { revisions }),
      ...(transports !== undefined && { transports }),
      ...cells,
      subject: { side: 'server', target: await this.#target(), support: { permission: this.#permission() } },
    }
    const examined = this.#examined()
    this.#repeat = planned.parts(seed, examined, undefined).repeat
    const run = runChecks(options)
    for await (const event of run) await this.#follow(event, options, planned)
    const results = await run.report
    if (signal.aborted) return
    const report = planned.report(results, examined)
    const isPartial = again !== undefined && base !== undefined && results.cells.length > 0
    const finished: FinishedRun = {
      number,
      ...(isPartial && { repeated: results.results.length }),
      report: isPartial ? mergeReports(base.report, report) : report,
    }
    this.#finished = finished
    this.#problem = report.reason
    // A server that could not be reached has no results to compare with later.
    if (results.cells.length === 0) return
    await store(finished)
    this.#isStored = true
  }

  async #follow(event: RunEvent, options: RunOptions, { parts }: PlannedRun): Promise<void> {
    const { base, masking } = this.#options
    const { catalogue } = options
    switch (event.type) {
      case 'discovered': {
        const { selectChecks } = await import('./engine.ts')
        const table = base === undefined ? new RunTable(catalogue) : RunTable.of(base.report, catalogue)
        for (const cell of event.cells) {
          const selected = selectChecks(options, cell)
          this.#repeated += selected.length
          const rows = selected.map(({ entry }) => ({
            id: examinationId(entry, cell.side),
            title: entry.title,
            severity: entry.severity,
            statements: entry.statements,
          }))
          table.queue(cell, rows)
        }
        this.#table = table
        this.#phase = 'running'
        break
      }
      case 'started': {
        const entry = catalogue.checks.get(event.id)
        if (entry !== undefined) this.#table?.begin(event.cell, examinationId(entry, event.cell.side))
        break
      }
      case 'finished': {
        const { reportedCheck } = await import('./engine.ts')
        const { repeat } = parts(this.#seed, this.#examined(), undefined)
        this.#table?.set(this.#marked(reportedCheck(event.result, { catalogue, masking, repeat })))
        break
      }
      case 'ended':
        if (this.#table !== undefined)
          this.#table.unsupported = event.report.unsupported.map(({ cell, reason }) => ({ ...cell, reason }))
        break
    }
    this.#options.changed()
  }

  #marked(check: ReportedCheck): ReportedCheck {
    const { baseline: _, ...plain } = check
    const [marked = plain] = compareWithBaseline(
      [plain],
      this.#baseline,
      new Date().toISOString().slice(0, 10),
    )
    return marked
  }

  async #target() {
    const { server, processes } = this.#options
    const { target, authorization } = server
    const { targetOf } = await import('./engine.ts')
    if (target.transport === 'stdio') {
      await adoptLoginPath()
      return targetOf(target, {}, processes)
    }
    const { url, bearerToken } = target
    const token = await authorization?.headers({ method: 'POST', url })
    const bearer = bearerToken === undefined ? {} : { authorization: `Bearer ${bearerToken}` }
    return targetOf(target, { ...token, ...bearer })
  }

  #permission() {
    const { permission } = this.#options.input
    if (permission.type === 'tools') return { names: permission.names }
    return permission.type === 'readOnly' ? { readOnly: true } : {}
  }

  #examined(): Examined {
    const { input, server, words } = this.#options
    const { permission } = input
    const { target, name } = server
    const named = words(name)
    return {
      side: 'server',
      name,
      target: target.transport === 'stdio' ? [target.command, ...target.args] : [target.url],
      words: [
        ...(permission.type === 'tools' ? permission.names.flatMap((tool) => ['--call', tool]) : []),
        ...(permission.type === 'readOnly' ? ['--call-read-only'] : []),
        ...named,
      ],
    }
  }

  view(): RunView {
    const { input, before, base, number } = this.#options
    const report = this.#finished?.report
    const version = report?.subject.version
    const table = this.#table
    return {
      serverId: this.serverId,
      serverName: this.serverName,
      number,
      phase: this.#phase,
      ...(this.#problem !== undefined && { problem: this.#problem }),
      startedAt: this.#startedAt,
      ...(this.#endedAt !== undefined && { durationMs: this.#endedAt - this.#startedAt }),
      seed: this.#seed,
      suite: input.suite,
      ...(report !== undefined && {
        verdict: report.verdict,
        command: report.command,
        peer: { name: report.subject.name, ...(version !== undefined && { version }) },
        ...(report.suite.score !== undefined && { score: report.suite.score }),
      }),
      ...(base !== undefined && { repeated: this.#repeated }),
      newFailures: before === undefined || table === undefined ? 0 : newFailuresIn(table, before),
      ...(table?.view() ?? { cells: [], areas: [], counts: {}, expected: 0, unsupported: [] }),
    }
  }
}

/** Failures in a table that an earlier run did not have. */
export function newFailuresIn(table: RunTable, before: StoredSummary): number {
  return table.cells.reduce(
    (sum, cell) =>
      sum +
      table
        .rows(cell)
        .filter(
          ({ id, status }) => isFailure(status) && !isFailure(before.verdicts[checkKey({ id, ...cell })]),
        ).length,
    0,
  )
}

type Again = NonNullable<StartInput['again']>

/** Which checks are run again. */
function onlyAgain(again: Again, { report }: FinishedRun): (id: string, cell: Cell) => boolean {
  switch (again.type) {
    case 'cell':
      return () => true
    case 'check':
      return (id) => id === withoutSide(again.id)
    case 'failed': {
      const failed = new Set(
        report.checks.filter(hasFailed).map((check) => checkKey({ ...check, id: withoutSide(check.id) })),
      )
      return (id, cell) => failed.has(checkKey({ id, ...cell }))
    }
  }
}

/** The cells that are looked at for those checks. */
function cellsOf(again: Again, { report }: FinishedRun): Pick<RunOptions, 'revisions' | 'transports'> {
  if (again.type !== 'failed') return { revisions: [again.revision], transports: [again.transport] }
  const failed = report.checks.filter(hasFailed)
  return {
    revisions: [...new Set(failed.map(({ revision }) => revision as Cell['revision']))],
    transports: [...new Set(failed.map(({ transport }) => transport))],
  }
}
