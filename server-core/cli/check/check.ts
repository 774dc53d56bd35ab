import { loadCatalogue } from '../../conformance/catalogue/load-catalogue.ts'
import { loadChecks } from '../../conformance/checks/load-checks.ts'
import { conformanceReport } from '../../conformance/report/conformance-report.ts'
import { runChecks } from '../../conformance/run/run-checks.ts'
import { suiteNamed } from '../../conformance/suites/suite.ts'
import { openServerSession, type ServerSession } from '../connection/server-session.ts'
import type { ExitCode } from '../output/exit-code.ts'
import { masking } from '../output/output.ts'
import { failuresOf, readBaseline } from './baseline-file.ts'
import type { CheckCommand } from './check-flags.ts'
import { finishRun } from './finish-run.ts'
import { ProgressLine } from './progress-line.ts'
import { repeatingWords, shellLine } from './run-command.ts'
import { targetOf, targetWords } from './server-target.ts'
import { versionsHere } from './versions.ts'

/** A whole run takes at most so long unless a timeout was chosen. */
const BUDGET_MS = 15 * 60_000

/** Examines a server, prints what was found and writes the reports. */
export async function check(command: CheckCommand, signal: AbortSignal): Promise<ExitCode> {
  const baseline = await readBaseline(command)
  const only = command.again === undefined ? undefined : await failuresOf(command.again)
  const session = await openServerSession(command, signal)
  const { direct } = session
  const token = await tokenOf(session)
  const [catalogue, checks] = await Promise.all([loadCatalogue(), loadChecks()])
  const suite = await suiteNamed(command.suite, catalogue)
  const { grep, repeat, seed, parallel } = command
  const startedAt = new Date()
  const progress = new ProgressLine(process.stderr)
  try {
    const run = runChecks({
      subject: {
        side: 'server',
        target: targetOf(direct, token),
        support: { permission: { names: command.call, readOnly: command.callReadOnly } },
      },
      catalogue,
      checks,
      only: (id, cell) => (suite.only?.(id, cell) ?? true) && (only?.(id, cell) ?? true),
      slow: command.slow || suite.slow === true,
      ends: command.ends || suite.ends === true,
      destructive: command.destructive || suite.destructive === true,
      budgetMs: command.isTimeoutChosen === true ? command.timeoutMs : BUDGET_MS,
      signal,
      ...(direct.protocol !== undefined && { revisions: [direct.protocol] }),
      ...(grep !== undefined && { grep }),
      ...(repeat !== undefined && { repeat }),
      ...(seed !== undefined && { seed }),
      ...(parallel !== undefined && { parallel }),
    })
    progress.begin('Looking for the revisions and transports of the server')
    for await (const event of run) progress.follow(event)
    const results = await run.report
    progress.end()
    const own = [
      ...command.call.flatMap((tool) => ['--call', tool]),
      ...(command.callReadOnly ? ['--call-read-only'] : []),
      ...targetWords(direct),
    ]
    const settings = { ...command, seed: results.seed }
    const target = targetWords(direct)
    const line = (words: readonly string[]) => masking.text(shellLine(words))
    const report = conformanceReport(results, {
      catalogue,
      masking,
      startedAt,
      subject: {
        side: 'server',
        name: masking.text(results.peer?.name ?? target.slice(1).join(' ')),
        ...(results.peer?.version !== undefined && { version: masking.text(results.peer.version) }),
        target: line(target[0] === '--' || target[0] === '--url' ? target.slice(1) : target),
      },
      versions: versionsHere(),
      command: line([...repeatingWords('check', settings), ...own]),
      repeat: (id, cell) => line([...repeatingWords('check', settings, { id, cell }), ...own]),
      suite: { name: command.suite, hasScore: suite.hasScore },
      ...(baseline !== undefined && { baseline }),
    })
    return await finishRun(report, command, baseline)
  } finally {
    progress.end()
    await session.close()
  }
}

/** The header with the token of a server that was authorized before; nothing if there is none. */
async function tokenOf({ address }: ServerSession): Promise<Readonly<Record<string, string>>> {
  if (address.transport === 'stdio' || address.authorization === undefined) return {}
  return address.authorization.headers({ method: 'POST', url: address.url })
}
