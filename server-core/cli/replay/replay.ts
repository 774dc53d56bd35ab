import { RecordingError } from '../../capture/recording/recording-error.ts'
import type { RecordedCall } from '../../comparison/recorded-calls.ts'
import { compareReplay, varyingPlaces } from '../../replay/client-side/compare-replay.ts'
import { replayPlan, type SkippedCall } from '../../replay/client-side/replay-plan.ts'
import { countsOf, differs, isShown, toJson } from '../diff/compared-calls.ts'
import { readRecordedCalls } from '../diff/read-recorded-calls.ts'
import { ExitCode, StartError } from '../output/exit-code.ts'
import { isForPerson, writeJson, writeStyled } from '../output/output.ts'
import { callTimes } from './call-times.ts'
import type { ReplayCommand } from './replay-flags.ts'
import { replayOnce, type Replay } from './replay-once.ts'
import type { ReplayReport } from './replay-report.ts'
import { reportText } from './report-text.ts'

/**
 * `patchbay replay`: exit code 1 if an answer differs from the recorded one, did not come, or the server asked what the
 * recording has no answer to. Rejects with a `StartError` for what cannot be read.
 */
export async function replay(command: ReplayCommand, signal: AbortSignal): Promise<ExitCode> {
  const recorded = await readRecording(command)
  const plan = replayPlan(recorded)
  if (plan.calls.length === 0)
    throw new StartError(`expected calls of a client in ${command.recording}, found none to send again`)
  const replays: Replay[] = []
  for (let round = 0; round < command.times; round += 1)
    replays.push(
      ...(await Promise.all(
        Array.from({ length: command.clients }, () => replayOnce(command, plan, recorded, signal)),
      )),
    )
  const [first, second] = replays
  if (first === undefined) throw new StartError('nothing was replayed')
  const varying = second === undefined ? [] : varyingPlaces(first.received, second.received)
  const skipped = [...plan.skipped, ...first.skipped]
  const calls = compareReplay(recorded, first.received, {
    ...command,
    skipped: new Set(skipped.map(({ call }) => call.frame)),
    recordedRevision: plan.client?.revision,
    revision: first.revision,
    values: first.values,
    varying,
  })
  const sent = replays.flatMap((one) => one.calls)
  const report: ReplayReport = {
    revision: first.revision,
    transport: first.transport,
    replays: replays.length,
    counts: countsOf(calls),
    calls,
    skipped,
    failed: sent.flatMap(({ call, outcome }) =>
      outcome.type === 'failed' ? [{ call, reason: outcome.reason }] : [],
    ),
    unexpected: replays.flatMap((one) => one.unexpected),
    replaced: first.values.replacements,
    varying,
    times: callTimes(sent),
  }
  if (isForPerson(command.json)) await writeStyled(({ paint }) => reportText(report, paint))
  else await writeJson(reportJson(report))
  const failed = differs(report.counts) || report.failed.length + report.unexpected.length > 0
  return failed ? ExitCode.regression : ExitCode.ok
}

async function readRecording({ recording, profile }: ReplayCommand): Promise<RecordedCall[]> {
  try {
    return await readRecordedCalls(recording, profile)
  } catch (error) {
    if (error instanceof RecordingError) throw new StartError(error.message, { cause: error })
    throw error
  }
}

function reportJson({ counts, calls, skipped, failed, ...report }: ReplayReport) {
  const named = ({ call: { frame, method, target }, reason }: SkippedCall) => ({
    frame,
    method,
    target,
    reason,
  })
  return {
    ...counts,
    ...report,
    calls: calls.filter(isShown).map(toJson),
    skipped: skipped.map(named),
    failed: failed.map(named),
  }
}
