import { loadCatalogue } from '../../conformance/catalogue/load-catalogue.ts'
import { loadChecks } from '../../conformance/checks/load-checks.ts'
import { conformanceReport } from '../../conformance/report/conformance-report.ts'
import { runChecks } from '../../conformance/run/run-checks.ts'
import type { RunOptions, RunReport } from '../../conformance/run/run-options.ts'
import { visit } from '../../conformance/run/visit.ts'
import { suiteNamed } from '../../conformance/suites/suite.ts'
import { failuresOf, readBaseline } from '../check/baseline-file.ts'
import { finishRun } from '../check/finish-run.ts'
import { ProgressLine } from '../check/progress-line.ts'
import { repeatingWords, shellLine } from '../check/run-command.ts'
import { versionsHere } from '../check/versions.ts'
import type { ExitCode } from '../output/exit-code.ts'
import { masking, writeNote } from '../output/output.ts'
import { commandDriver } from './command-driver.ts'
import type { ExamCommand } from './exam-flags.ts'

/** A whole exam takes at most so long unless a timeout was chosen. */
const BUDGET_MS = 15 * 60_000

/** Examines a client, prints what was found and writes the reports. */
export async function exam(command: ExamCommand, signal: AbortSignal): Promise<ExitCode> {
  const baseline = await readBaseline(command)
  const only = command.again === undefined ? undefined : await failuresOf(command.again)
  const [catalogue, checks] = await Promise.all([loadCatalogue(), loadChecks()])
  const suite = await suiteNamed(command.suite, catalogue)
  const { grep, repeat, seed, parallel, client, revision, transport } = command
  const startedAt = new Date()
  const results = await resultsOf(command, {
    catalogue,
    checks,
    only: (id, cell) => (suite.only?.(id, cell) ?? true) && (only?.(id, cell) ?? true),
    slow: command.slow || suite.slow === true,
    ends: command.ends || suite.ends === true,
    destructive: command.destructive || suite.destructive === true,
    budgetMs: command.timeoutMs ?? BUDGET_MS,
    signal,
    ...(revision !== undefined && { revisions: [revision] }),
    ...(grep !== undefined && { grep }),
    ...(repeat !== undefined && { repeat }),
    ...(seed !== undefined && { seed }),
    ...(parallel !== undefined && { parallel }),
  })
  const target = client === undefined ? [] : ['--', ...client]
  const own = [
    ...(transport === 'stdio' || transport === 'http' ? [] : ['--transport', transport]),
    ...target,
  ]
  const settings = { ...command, seed: results.seed }
  const line = (words: readonly string[]) => masking.text(shellLine(words))
  const report = conformanceReport(results, {
    catalogue,
    masking,
    startedAt,
    subject: {
      side: 'client',
      name: masking.text(results.peer?.name ?? 'client'),
      ...(results.peer?.version !== undefined && { version: masking.text(results.peer.version) }),
      target: line(client ?? [transport]),
    },
    versions: versionsHere(),
    command: line([...repeatingWords('exam', settings), ...own]),
    repeat: (id, cell) => line([...repeatingWords('exam', settings, { id, cell }), ...own]),
    suite: { name: command.suite, hasScore: suite.hasScore },
    ...(baseline !== undefined && { baseline }),
  })
  return finishRun(report, command, baseline)
}

/** Starts the client for each check, or waits for one that somebody else starts. */
async function resultsOf(
  { client, transport, revision = '2025-11-25' }: ExamCommand,
  options: Omit<RunOptions, 'subject'>,
): Promise<RunReport> {
  if (client === undefined)
    return visit(options, { side: 'client', revision, transport }, (url) => {
      writeNote(`Connect the client to ${url}`)
    })
  const progress = new ProgressLine(process.stderr)
  const driver = commandDriver(client, transport)
  try {
    const run = runChecks({ ...options, subject: { side: 'client', driver, discover: true } })
    progress.begin('Waiting for the client to connect')
    for await (const event of run) progress.follow(event)
    return await run.report
  } finally {
    progress.end()
  }
}
