import { readFile } from 'node:fs/promises'
import { Redaction } from '../../capture/redaction.ts'
import { compareWithBaseline, parseBaseline, type Baseline } from '../../conformance/report/baseline.ts'
import { clausesOf, noCellsReason, reportedCheck } from '../../conformance/report/conformance-report.ts'
import type { ConformanceReport, ReportedCheck } from '../../conformance/report/report-schema.ts'
import { CheckSession } from '../../conformance/run/check-session.ts'
import { planRun } from '../../conformance/run/plan-run.ts'
import { productVersion } from '../../host/version.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { TestSetupError } from '../test-error.ts'
import type { ConformanceOptions } from './conformance-options.ts'
import { openServer, type ExaminedServer, type ExaminedServerOptions } from './examined-server.ts'
import { secretsIn } from './secrets-in.ts'

/** Milliseconds of a whole run: Playwright's own limits end tests, and what they leave out is not to be limited here. */
const BUDGET_MS = 24 * 60 * 60_000

export type ExaminationOptions = ExaminedServerOptions & {
  readonly choices: ConformanceOptions
  readonly revisions: ConformanceOptions['revisions']
  /** The file of the baseline, absolute. */
  readonly baselineFile: string | undefined
}

/** The results of one check in all cells, and the clauses that their findings name. */
export type ExaminedCheck = {
  readonly results: readonly ReportedCheck[]
  readonly clauses: ConformanceReport['clauses']
}

/** A server that was discovered, and whose checks run when they are asked for. */
export type Examination = {
  readonly examine: (id: string) => Promise<ExaminedCheck>
  readonly close: () => Promise<void>
}

/** Starts and discovers a server. Rejects with a `TestSetupError` if it cannot be examined. */
export async function openExamination(options: ExaminationOptions): Promise<Examination> {
  const baseline = await readBaseline(options.baselineFile)
  const server = await openServer(options)
  try {
    return await discover(server, options, baseline)
  } catch (error) {
    await server.close()
    throw error
  }
}

async function discover(
  server: ExaminedServer,
  options: ExaminationOptions,
  baseline: Baseline | undefined,
): Promise<Examination> {
  const { choices, revisions, transports } = options
  const { suite = 'ci', slow = false, ends = false, destructive = false, seed } = choices
  const masking = new Redaction()
  for (const secret of secretsIn(options)) masking.register(secret)
  const { signal } = new AbortController()
  const { node, platform } = { node: process.versions.node, platform: `${process.platform} ${process.arch}` }
  const plan = await planRun(
    { suite, slow, ends, destructive, ...(seed !== undefined && { seed }) },
    { signal, masking, versions: { patchbay: productVersion, node, platform }, budgetMs: BUDGET_MS },
  )
  const permission = { names: choices.call ?? [], readOnly: choices.callReadOnly === true }
  const session = await CheckSession.open({
    ...plan.options,
    subject: { side: 'server', target: server.target, support: { permission } },
    ...(revisions !== undefined && { revisions }),
    ...(transports !== undefined && { transports }),
  })
  const close = async (): Promise<void> => {
    await session.close()
    await server.close()
  }
  if (session.cells.length === 0) {
    await session.close()
    const reason = noCellsReason(session.unsupported, 'server')
    throw new TestSetupError('server', `The server cannot be examined: ${masking.text(reason)}`)
  }
  const { catalogue } = plan.options
  const today = new Date().toISOString().slice(0, 10)
  return {
    examine: async (id) => {
      const found = await session.examine(id)
      const all = found.map((result) => reportedCheck(result, { catalogue, masking }))
      const results = baseline === undefined ? all : compareWithBaseline(all, baseline, today)
      return { results, clauses: clausesOf(catalogue, results) }
    },
    close,
  }
}

async function readBaseline(file: string | undefined): Promise<Baseline | undefined> {
  if (file === undefined) return undefined
  try {
    return parseBaseline(await readFile(file, 'utf8'), file)
  } catch (error) {
    throw new TestSetupError(
      'option',
      `conformance(): the baseline cannot be used: ${messageOf(error)}. patchbay check --baseline FILE --update-baseline writes one`,
      { cause: error },
    )
  }
}
