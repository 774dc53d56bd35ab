import { targetOf } from '../../conformance/probe/target-of.ts'
import { runChecks } from '../../conformance/run/run-checks.ts'
import { openServerSession, type ServerSession } from '../connection/server-session.ts'
import type { ExitCode } from '../output/exit-code.ts'
import type { CheckCommand } from './check-flags.ts'
import { finishRun } from './finish-run.ts'
import { prepareRun } from './prepare-run.ts'
import { ProgressLine } from './progress-line.ts'
import { targetWords } from './server-target.ts'

/** Examines a server, prints what was found and writes the reports. */
export async function check(command: CheckCommand, signal: AbortSignal): Promise<ExitCode> {
  const budgetMs = command.isTimeoutChosen === true ? command.timeoutMs : undefined
  const prepared = await prepareRun(command, signal, budgetMs)
  const session = await openServerSession(command, signal)
  const { direct } = session
  const progress = new ProgressLine(process.stderr)
  try {
    const run = runChecks({
      ...prepared.options,
      ...(direct.protocol !== undefined && { revisions: [direct.protocol] }),
      subject: {
        side: 'server',
        target: targetOf(direct, await tokenOf(session)),
        support: { permission: { names: command.call, readOnly: command.callReadOnly } },
      },
    })
    progress.begin('Looking for the revisions and transports of the server')
    for await (const event of run) progress.follow(event)
    const results = await run.report
    progress.end()
    const target = targetWords(direct)
    const report = prepared.report(results, {
      side: 'server',
      name: target.slice(1).join(' '),
      target: target[0] === '--' || target[0] === '--url' ? target.slice(1) : target,
      words: [
        ...command.call.flatMap((tool) => ['--call', tool]),
        ...(command.callReadOnly ? ['--call-read-only'] : []),
        ...target,
      ],
    })
    return await finishRun(report, command, prepared.baseline)
  } finally {
    progress.end()
    await session.close()
  }
}

/** The header with the token of a server that was authorized before; empty if it needs none. */
async function tokenOf({ address }: ServerSession): Promise<Readonly<Record<string, string>>> {
  if (address.transport === 'stdio' || address.authorization === undefined) return {}
  return address.authorization.headers({ method: 'POST', url: address.url })
}
