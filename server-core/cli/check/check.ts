import { loadCatalogue } from '../../conformance/catalogue/load-catalogue.ts'
import { loadChecks } from '../../conformance/checks/load-checks.ts'
import { startCommand } from '../../conformance/probe/process-handle.ts'
import type { ServerTarget } from '../../conformance/probe/server-target.ts'
import { runChecks } from '../../conformance/run/run-checks.ts'
import type { RunReport } from '../../conformance/run/run-options.ts'
import { storedServer } from '../connection/stored-server.ts'
import type { DirectTarget } from '../connection/target.ts'
import { ExitCode, UnreachableError } from '../output/exit-code.ts'
import { isForPerson, writeJson, writeText } from '../output/output.ts'
import { table } from '../output/table.ts'
import { checkDocument } from './check-document.ts'
import type { CheckCommand } from './check-flags.ts'

/** Examines a server and prints what was found. */
export async function check(command: CheckCommand, signal: AbortSignal): Promise<ExitCode> {
  const direct = command.target.type === 'stored' ? await storedServer(command.target) : command.target
  const [catalogue, checks] = await Promise.all([loadCatalogue(), loadChecks()])
  const { grep, repeat, seed, parallel, slow, ends, destructive } = command
  const run = runChecks({
    subject: {
      side: 'server',
      target: targetOf(direct),
      support: { permission: { names: command.call, readOnly: command.callReadOnly } },
    },
    catalogue,
    checks,
    slow,
    ends,
    destructive,
    signal,
    ...(direct.protocol !== undefined && { revisions: [direct.protocol] }),
    ...(grep !== undefined && { grep }),
    ...(repeat !== undefined && { repeat }),
    ...(seed !== undefined && { seed }),
    ...(parallel !== undefined && { parallel }),
  })
  const report = await run.report
  if (report.cells.length === 0) throw new UnreachableError(noCells(report))
  if (isForPerson(command.json)) await writeText(describeReport(report))
  else await writeJson(checkDocument(report, catalogue))
  const { failed, broken, flaky } = report.summary
  return failed + broken + flaky > 0 ? ExitCode.regression : ExitCode.ok
}

/** An address is tried as Streamable HTTP and as HTTP+SSE unless a transport was chosen. */
function targetOf(direct: DirectTarget): ServerTarget {
  if (direct.type === 'command') {
    const { command, args, env, cwd } = direct
    const spec = {
      command,
      args,
      env: Object.fromEntries(env.map(({ name, value }) => [name, value])),
      ...(cwd !== undefined && { cwd }),
    }
    return { stdio: (more) => startCommand(spec, more) }
  }
  const { url, transport = 'auto' } = direct
  const headers = Object.fromEntries(direct.headers.map(({ name, value }) => [name, value]))
  if (/^wss?:/i.test(url)) return { websocket: url, headers }
  return {
    headers,
    ...(transport !== 'sse' && { http: url }),
    ...(transport !== 'http' && { sse: url }),
  }
}

function noCells({ unsupported }: RunReport): string {
  const [first] = unsupported
  const why = first === undefined ? 'no revision and transport was left to try' : first.reason
  return `No revision that Patchbay knows could be agreed on with the server: ${why}`
}

/** Problems first, then a line for each cell, then the counts. */
function describeReport(report: RunReport): string {
  const problems = report.results.filter(({ verdict }) => !['passed', 'notApplicable'].includes(verdict))
  const rows = problems.map(({ id, cell, verdict, reason, findings }) => {
    const [finding] = findings
    const what =
      finding === undefined ? (reason ?? '') : `expected ${finding.expected}; got ${finding.actual}`
    return [verdict, id, cell.revision, cell.transport, what.split('\n')[0] ?? '']
  })
  const counts = Object.entries(report.summary)
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${count} ${verdict === 'notApplicable' ? 'not applicable' : verdict}`)
  return [...(rows.length === 0 ? [] : [table(rows), '']), counts.join(', ')].join('\n')
}
