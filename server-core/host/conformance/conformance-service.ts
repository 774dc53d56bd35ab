import type { Masking } from '../../capture/redaction.ts'
import type { Catalogue } from '../../conformance/catalogue/catalogue.ts'
import { baselineOf } from '../../conformance/report/baseline.ts'
import { withBaseline } from '../../conformance/report/merge-reports.ts'
import type { Cell } from '../../conformance/verdict.ts'
import type { ProcessRegistry } from '../../processes/process-registry.ts'
import { approvalHash } from '../../profile/approvals.ts'
import { SerialQueue } from '../../protocol/serial-queue.ts'
import type { OnSetAside } from '../../workspace/document-file.ts'
import type {
  CallPermissionChoice,
  CheckDetail,
  CheckRow,
  ConformanceState,
  RunSummary,
  RunView,
  StartExamInput,
  StartInput,
  WrittenFormat,
} from '../contract/conformance.ts'
import { HostError } from '../host-error.ts'
import type { ReachedServer } from '../servers/servers-service.ts'
import { checkDetail, checkRows } from './check-views.ts'
import { ConformanceSettings } from './conformance-settings.ts'
import { ExamRun } from './exam-run.ts'
import { newFailuresIn, ServerRun } from './server-run.ts'
import { RunStore, type FinishedRun, type StoredSummary } from './run-store.ts'
import { RunTable } from './run-table.ts'

export type ConformanceServiceOptions = {
  /** The folder of the profile for runs and choices. */
  readonly folder: string
  /** What a server is reached at; a `HostError` if it may not be started. */
  readonly approved: (serverId: string) => Promise<Omit<ReachedServer, 'authorization'>>
  /** The same, with its authorization. */
  readonly reachedAt: (serverId: string) => Promise<ReachedServer>
  /** Names a server across the workspaces of the profile. */
  readonly keyOf: (serverId: string) => string
  /** The words that name a server on a command line. */
  readonly words: (serverName: string) => readonly string[]
  /** What is typed before the name of a command. */
  readonly program: string
  readonly masking: Masking
  readonly processes: ProcessRegistry
  readonly version: string
  readonly changed: () => void
  readonly onSetAside: OnSetAside
}

/** Milliseconds in which changes of a run are published together. */
const PUBLISH_MS = 150
/** The name of the expected failures in reports; in the window they have no file. */
const BASELINE = 'expected failures'

type CheckPlace = Pick<Cell, 'revision' | 'transport'> & {
  readonly serverId: string
  readonly number: number
  readonly id: string
}

/** Format → how its file is named and typed. */
const FORMATS: Readonly<Record<WrittenFormat, { readonly extension: string; readonly mediaType: string }>> = {
  html: { extension: 'html', mediaType: 'text/html' },
  junit: { extension: 'junit.xml', mediaType: 'application/xml' },
  sarif: { extension: 'sarif', mediaType: 'application/json' },
  json: { extension: 'json', mediaType: 'application/json' },
  tap: { extension: 'tap', mediaType: 'text/plain' },
  baseline: { extension: 'baseline.json', mediaType: 'application/json' },
}

/** Examines servers with the checks of `server-core/conformance`: one run at a time, the last ones of each server stored. */
export class ConformanceService {
  readonly #options: ConformanceServiceOptions
  readonly #store: RunStore
  readonly #settings: ConformanceSettings
  readonly #starting = new SerialQueue()
  #run: ServerRun | undefined
  #exam: ExamRun | undefined
  #opened: { readonly key: string; readonly number: number; readonly run: FinishedRun } | undefined
  #publishing: NodeJS.Timeout | undefined

  constructor(options: ConformanceServiceOptions) {
    this.#options = options
    this.#store = new RunStore(options.folder)
    this.#settings = new ConformanceSettings(options.folder, options.onSetAside)
  }

  state(): ConformanceState {
    const run = this.#run?.view()
    const exam = this.#exam?.state()
    return { ...(run !== undefined && { run }), ...(exam !== undefined && { exam }) }
  }

  /** The stored runs of a server, newest first, and which tools a run may call, if that was chosen. */
  async runs(serverId: string): Promise<{ runs: RunSummary[]; permission?: CallPermissionChoice }> {
    const key = this.#options.keyOf(serverId)
    const summaries = await this.#store.summaries(key)
    const permission = await this.#permission(serverId)
    return {
      runs: summaries.toReversed().map(({ verdicts: _, version: _version, ...rest }) => rest),
      ...(permission !== undefined && { permission }),
    }
  }

  async run(serverId: string, number: number): Promise<RunView> {
    const live = this.#liveRun(serverId, number)
    if (live !== undefined && !live.isStored) return live.view()
    const { run, table, before } = await this.#open(serverId, number)
    const { report, repeated } = run
    const { name } = await this.#nameOf(serverId)
    const { version } = report.subject
    return {
      serverId,
      serverName: name,
      number,
      phase: 'ended',
      ...(report.reason !== undefined && { problem: report.reason }),
      startedAt: Date.parse(report.startedAt),
      durationMs: report.durationMs,
      seed: report.seed,
      suite: report.suite.name,
      verdict: report.verdict,
      ...(report.suite.score !== undefined && { score: report.suite.score }),
      ...(repeated !== undefined && { repeated }),
      peer: { name: report.subject.name, ...(version !== undefined && { version }) },
      command: report.command,
      newFailures: before === undefined ? 0 : newFailuresIn(table, before),
      ...table.view(),
    }
  }

  async checks({ serverId, number, revision, transport }: Omit<CheckPlace, 'id'>): Promise<CheckRow[]> {
    const { table, catalogue, before } = await this.#tableOf(serverId, number)
    return checkRows(table, { side: 'server', revision, transport }, catalogue, before)
  }

  async check({ serverId, number, id, revision, transport }: CheckPlace): Promise<CheckDetail> {
    const { table, catalogue, before, summaries, words } = await this.#tableOf(serverId, number)
    const cell: Cell = { side: 'server', revision, transport }
    const row = table.row(cell, id)
    if (row === undefined) throw new HostError('NOT_FOUND', `Run ${number} has no check ${id} in this cell.`)
    const { clauseOf } = await import('./engine.ts')
    const repeat = row.check?.repeat ?? words(id, cell)
    return checkDetail(row, { table, cell, catalogue, summaries, before, clauseOf, repeat })
  }

  async savePermission(serverId: string, permission: CallPermissionChoice): Promise<void> {
    const { target } = await this.#options.approved(serverId)
    await this.#settings.savePermission(this.#options.keyOf(serverId), approvalHash(target), permission)
  }

  /**
   * Starts a run and resolves with its number.
   *
   * @throws HostError `REFUSED` while another run is under way, `NOT_APPROVED`, `NOT_FOUND`
   */
  start(input: StartInput): Promise<{ number: number }> {
    return this.#starting.run(() => this.#start(input))
  }

  async #start(input: StartInput): Promise<{ number: number }> {
    if (this.#run?.isUnderWay === true) {
      const { serverName } = this.#run
      throw new HostError('REFUSED', `The checks of ${serverName} are running. Cancel them first.`)
    }
    const { serverId, permission, again } = input
    const key = this.#options.keyOf(serverId)
    const server = await this.#options.reachedAt(serverId)
    await this.#settings.savePermission(key, approvalHash(server.target), permission)
    const summaries = await this.#store.summaries(key)
    const newest = summaries.at(-1)
    const base =
      again === undefined || newest === undefined ? undefined : await this.#store.run(key, newest.number)
    if (again !== undefined && base === undefined)
      throw new HostError('NOT_FOUND', 'There is no stored run whose checks could be run again.')
    const number = Math.max(newest?.number ?? 0, this.#newestOf(serverId)) + 1
    const run = new ServerRun({
      ...this.#options,
      input,
      number,
      server,
      base,
      before: newest,
      baseline: await this.#settings.baseline(key),
      changed: () => this.#publish(),
      store: (finished) => this.#store.save(key, finished),
    })
    this.#run = run
    this.#options.changed()
    void run.start().finally(() => this.#options.changed())
    return { number }
  }

  /** Cancels the run that is under way; false if there is none. */
  cancel(): boolean {
    return this.#run?.cancel() ?? false
  }

  /**
   * Starts an exam server for a client that a person uses, and resolves with its address.
   *
   * @throws HostError `REFUSED` while another exam is under way
   */
  startExam(input: StartExamInput): Promise<{ url: string }> {
    return this.#starting.run(async () => {
      if (this.#exam?.isUnderWay === true)
        throw new HostError('REFUSED', 'An exam is under way. Stop it first.')
      const exam = new ExamRun({ ...this.#options, input, changed: () => this.#publish() })
      this.#exam = exam
      await exam.start()
      this.#options.changed()
      return { url: exam.state().url }
    })
  }

  /** Stops the exam server; false if there is none. */
  async stopExam(): Promise<boolean> {
    const exam = this.#exam
    if (exam?.isUnderWay !== true) return false
    await exam.stop()
    this.#options.changed()
    return true
  }

  /** Everything about one check of the exam. */
  async examCheck(id: string): Promise<CheckDetail> {
    const check = await this.#exam?.check(id)
    if (check === undefined) throw new HostError('NOT_FOUND', `The exam has no check ${id}.`)
    return check
  }

  /** Resolves when no run is under way any more. */
  async idle(): Promise<void> {
    await this.#run?.ended
  }

  async expectFailure({
    expected,
    ...place
  }: CheckPlace & { readonly expected: boolean }): Promise<{ expected: boolean }> {
    const { serverId, id, revision, transport } = place
    const key = this.#options.keyOf(serverId)
    await this.#settings.expectFailure(key, { check: id, revision, transport }, expected)
    if (this.#run?.serverId === serverId) {
      this.#run.compareWith(await this.#settings.baseline(key))
      this.#options.changed()
    }
    return { expected }
  }

  /** A report in one of the formats that the command line writes, or the failures of a run as a baseline. */
  async report(
    serverId: string,
    number: number,
    format: WrittenFormat,
  ): Promise<{ file: string; mediaType: string; text: string }> {
    const { run, summaries } = await this.#open(serverId, number)
    const { name } = await this.#nameOf(serverId)
    const { extension, mediaType } = FORMATS[format]
    const file = `${fileName(name)}-run-${number}.${extension}`
    if (format === 'baseline') {
      const known = await this.#settings.baseline(this.#options.keyOf(serverId))
      const text = `${JSON.stringify(baselineOf(run.report.checks, known), undefined, 2)}\n`
      return { file, mediaType, text }
    }
    const { REPORT_FORMATS } = await import('./engine.ts')
    const history = summaries.filter((each) => each.number <= number).map(historyEntry)
    return { file, mediaType, text: REPORT_FORMATS[format]({ ...run.report, history }) }
  }

  /** Ends a run that is under way. */
  async close(): Promise<void> {
    this.cancel()
    await this.stopExam()
    await this.idle()
    clearTimeout(this.#publishing)
  }

  async #permission(serverId: string): Promise<CallPermissionChoice | undefined> {
    try {
      const { target } = await this.#options.approved(serverId)
      return await this.#settings.permission(this.#options.keyOf(serverId), approvalHash(target))
    } catch (error) {
      // One that may not be started has no permission either; its runs are shown all the same.
      if (error instanceof HostError) return undefined
      throw error
    }
  }

  async #nameOf(serverId: string): Promise<{ name: string }> {
    try {
      return await this.#options.approved(serverId)
    } catch (error) {
      if (error instanceof HostError) return { name: serverId }
      throw error
    }
  }

  /** The number of the run of this session, which may not have been stored. */
  #newestOf(serverId: string): number {
    return this.#run?.serverId === serverId ? this.#run.number : 0
  }

  #liveRun(serverId: string, number: number): ServerRun | undefined {
    const run = this.#run
    return run?.serverId === serverId && run.number === number ? run : undefined
  }

  async #tableOf(
    serverId: string,
    number: number,
  ): Promise<{
    table: RunTable
    catalogue: Catalogue
    summaries: readonly StoredSummary[]
    before: StoredSummary | undefined
    words: (id: string, cell: Cell) => string
  }> {
    const live = this.#liveRun(serverId, number)
    const { loadCatalogue } = await import('./engine.ts')
    const catalogue = await loadCatalogue()
    if (live !== undefined && !live.isStored) {
      const summaries = await this.#store.summaries(this.#options.keyOf(serverId))
      const table = live.table ?? new RunTable(catalogue)
      return {
        table,
        catalogue,
        summaries,
        before: summaries.at(-1),
        words: (id, cell) => live.repeat(id, cell),
      }
    }
    const { table, summaries, before, run } = await this.#open(serverId, number)
    const words = (id: string, { revision }: Cell): string =>
      `${run.report.command} --grep ${id} --revision ${revision}`
    return { table, catalogue, summaries, before, words }
  }

  /** A stored run, compared with what is expected now. */
  async #open(serverId: string, number: number) {
    const key = this.#options.keyOf(serverId)
    const summaries = await this.#store.summaries(key)
    if (this.#opened?.key !== key || this.#opened.number !== number) {
      const stored = await this.#store.run(key, number)
      if (stored === undefined) throw new HostError('NOT_FOUND', `There is no stored run ${number}.`)
      this.#opened = { key, number, run: stored }
    }
    const { run } = this.#opened
    const today = new Date().toISOString().slice(0, 10)
    const report = withBaseline(run.report, await this.#settings.baseline(key), BASELINE, today)
    const { loadCatalogue } = await import('./engine.ts')
    const table = RunTable.of(report, await loadCatalogue())
    const before = summaries.findLast((each) => each.number < number)
    return { run: { ...run, report }, table, summaries, before }
  }

  #publish(): void {
    if (this.#publishing !== undefined) return
    this.#publishing = setTimeout(() => {
      this.#publishing = undefined
      this.#options.changed()
    }, PUBLISH_MS).unref()
  }
}

/** What a report shows of one of the last runs. */
function historyEntry({ number, startedAt, counts }: StoredSummary) {
  const of = (...names: string[]): number => names.reduce((sum, name) => sum + (counts[name] ?? 0), 0)
  return {
    number,
    startedAt: new Date(startedAt).toISOString(),
    passed: of('passed'),
    failed: of('failed', 'broken', 'flaky'),
    warned: of('warned'),
  }
}

/** The name of a server as part of the name of a file. */
function fileName(name: string): string {
  return name.replaceAll(/[^\w.-]+/g, '-').slice(0, 60)
}
