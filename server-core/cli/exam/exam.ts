import { runChecks } from '../../conformance/run/run-checks.ts'
import type { RunOptions, RunReport } from '../../conformance/run/run-options.ts'
import { visit } from '../../conformance/run/visit.ts'
import { finishRun } from '../check/finish-run.ts'
import { prepareRun } from '../check/prepare-run.ts'
import { ProgressLine } from '../check/progress-line.ts'
import type { ExitCode } from '../output/exit-code.ts'
import { writeNote } from '../output/output.ts'
import { commandDriver } from './command-driver.ts'
import type { ExamCommand } from './exam-flags.ts'

/** Examines a client, prints what was found and writes the reports. */
export async function exam(command: ExamCommand, signal: AbortSignal): Promise<ExitCode> {
  const { client, revision, transport, timeoutMs } = command
  const prepared = await prepareRun(command, signal, timeoutMs)
  const results = await resultsOf(command, {
    ...prepared.options,
    ...(revision !== undefined && { revisions: [revision] }),
  })
  const report = prepared.report(results, {
    side: 'client',
    name: 'client',
    target: client ?? [transport],
    words: [
      ...(transport === 'stdio' || transport === 'http' ? [] : ['--transport', transport]),
      ...(client === undefined ? [] : ['--', ...client]),
    ],
  })
  return finishRun(report, command, prepared.baseline)
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
