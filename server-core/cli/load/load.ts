import { compareLoad, type ComparedLoad } from '../../load/compare-load.ts'
import { histogramOf, loadStatistics } from '../../load/load-statistics.ts'
import { noiseOf, ratioOf, verdictOf } from '../../load/load-verdict.ts'
import { runLoad, type LoadSample } from '../../load/run-load.ts'
import type { ClientSettings } from '../connection/client-flags.ts'
import { openConnection, type OpenConnection } from '../connection/open-connection.ts'
import { ExitCode, UnreachableError } from '../output/exit-code.ts'
import { isForPerson, writeJson, writeStderr, writeStyled } from '../output/output.ts'
import type { LoadCommand } from './load-flags.ts'
import { describeLoad, type LoadReport, type MeasuredLoad } from './load-report.ts'

/** `patchbay load`: exit code 1 if a limit is broken; a limit that cannot be decided does not fail. */
export async function load(command: LoadCommand, signal: AbortSignal): Promise<ExitCode> {
  const { list: calls, calls: count, durationMs, inFlight, timeoutMs, rate, warmUp } = command
  const own: OpenConnection[] = []
  const other: OpenConnection[] = []
  try {
    await connectAll(own, command, command.clients, signal)
    if (command.against !== undefined)
      await connectAll(other, { ...command, target: command.against }, command.clients, signal)
    const options = {
      calls,
      count,
      durationMs,
      inFlight,
      timeoutMs,
      signal,
      ...(rate !== undefined && { rate }),
    }
    const [connections, baseline] = [own, other].map((all) => all.map(({ connection }) => connection))
    for (const each of [connections ?? [], baseline ?? []])
      if (each.length > 0 && warmUp > 0) await runLoad(each, { ...options, count: warmUp })
    const compared = await compareLoad(connections ?? [], other.length > 0 ? baseline : undefined, options)
    const report = reportOf(command, compared)
    if (isForPerson(command.json)) await writeStyled(({ paint }) => describeLoad(report, paint))
    else await writeJson(report)
    if (report.answered === 0 && Object.keys(report.errors).length === 0)
      throw new UnreachableError('no call was made: the time was over before the first one')
    for (const each of report.limits)
      if (each.type === 'no-decision') writeStderr(`patchbay: no decision on ${each.limit}: ${each.reason}`)
    return report.verdict === 'failed' ? ExitCode.regression : ExitCode.ok
  } finally {
    await Promise.all([...own, ...other].map((each) => each.close()))
  }
}

async function connectAll(
  connections: OpenConnection[],
  settings: ClientSettings,
  count: number,
  signal: AbortSignal,
): Promise<void> {
  // One after the other: a server that is busy starting would make the others wait.
  while (connections.length < count) connections.push(await openConnection(settings, signal))
}

function reportOf(command: LoadCommand, { sample, baseline, rounds }: ComparedLoad): LoadReport {
  const { clients, inFlight, maxP95, maxRatio, maxErrors } = command
  const measured = measuredOf(sample)
  const ratio = baseline === undefined ? undefined : ratioOf(rounds)
  const noise = noiseOf(rounds.map(([durations]) => durations))
  const p95 = measured.milliseconds?.p95
  const errors = Object.values(sample.errors).reduce((sum, each) => sum + each, 0)
  const limits: LoadReport['limits'] = [
    ...(maxP95 === undefined || p95 === undefined
      ? []
      : [{ limit: 'max-p95', value: maxP95, ...verdictOf(p95, maxP95, noise) } as const]),
    ...(maxRatio === undefined || ratio === undefined
      ? []
      : [{ limit: 'max-ratio', value: maxRatio, ...verdictOf(ratio, maxRatio, undefined) } as const]),
    ...(errors > maxErrors ? [{ limit: 'max-errors', value: maxErrors, type: 'failed' } as const] : []),
  ]
  const types = limits.map(({ type }) => type)
  return {
    verdict: types.includes('failed') ? 'failed' : types.includes('no-decision') ? 'no-decision' : 'passed',
    clients,
    inFlight,
    ...measured,
    limits,
    ...(baseline !== undefined && { baseline: measuredOf(baseline) }),
    ...(ratio !== undefined && { ratio }),
    ...(noise !== undefined && { noise }),
  }
}

function measuredOf({ durations, errors, elapsedMs }: LoadSample): MeasuredLoad {
  const milliseconds = loadStatistics(durations)
  return {
    answered: durations.length,
    errors,
    callsPerSecond: elapsedMs === 0 ? 0 : (durations.length / elapsedMs) * 1_000,
    ...(milliseconds !== undefined && { milliseconds }),
    histogram: histogramOf(durations),
  }
}
