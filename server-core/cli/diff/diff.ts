import { readFile } from 'node:fs/promises'
import { RecordingError } from '../../capture/recording/recording-error.ts'
import { compareCalls, type ComparedCall } from '../../comparison/compare-calls.ts'
import { compareValues, type ComparisonOptions } from '../../comparison/compare-values.ts'
import { recordedCalls, type RecordedCall } from '../../comparison/recorded-calls.ts'
import { defaultProfile, profileFiles } from '../../profile/profile-files.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { parseMessage } from '../../protocol/parse.ts'
import { plural } from '../../protocol/plural.ts'
import { RecordingView } from '../../recordings/recording-view.ts'
import { RecordingStore } from '../../recordings/store/recording-store.ts'
import { ExitCode, StartError } from '../output/exit-code.ts'
import { isForPerson, writeJson, writeStderr, writeStyled } from '../output/output.ts'
import { recordingPlace } from '../../recordings/store/recording-place.ts'
import { isJsonFile, type DiffCommand } from './diff-flags.ts'
import { callsText, changesText, leftOutText } from './diff-text.ts'

/**
 * `patchbay diff`: exit code 1 if something differs. Another order of calls is shown, and does not count as a difference. Rejects
 * with a `StartError` for what cannot be read.
 */
export async function diff(command: DiffCommand): Promise<ExitCode> {
  try {
    return isJsonFile(command.before) ? await diffFiles(command) : await diffRecordings(command)
  } catch (error) {
    if (error instanceof RecordingError) throw new StartError(error.message, { cause: error })
    throw error
  }
}

async function diffFiles(command: DiffCommand): Promise<ExitCode> {
  const [before, after] = [await readJson(command.before), await readJson(command.after)]
  const comparison = compareValues(before, after, optionsOf(command))
  if (!isForPerson(command.json)) await writeJson(comparison)
  else {
    const { changes, more } = comparison
    const count = changes.length + more
    const head = count === 0 ? 'no difference' : plural(count, 'difference')
    await writeStyled(({ paint }) =>
      [head, ...changesText(comparison, paint), leftOutText([comparison])]
        .filter((line) => line !== '')
        .join('\n'),
    )
  }
  return comparison.changes.length === 0 ? ExitCode.ok : ExitCode.regression
}

async function diffRecordings(command: DiffCommand): Promise<ExitCode> {
  const before = await callsOf(command.before, command)
  const after = await callsOf(command.after, command)
  const calls = compareCalls(before, after, optionsOf(command))
  const counts = countsOf(calls)
  if (!isForPerson(command.json)) await writeJson({ ...counts, calls: calls.filter(isShown).map(plain) })
  else {
    const { same, changed, moved, onlyBefore, onlyAfter } = counts
    const head = [
      `${plural(same, 'call')} the same`,
      `${changed} changed`,
      `${onlyBefore} only before`,
      `${onlyAfter} only after`,
      ...(moved > 0 ? [`${moved} in another order`] : []),
    ].join(', ')
    const compared = calls.flatMap((call) => (call.type === 'both' ? [call.comparison] : []))
    await writeStyled(({ paint }) =>
      [head, ...callsText(calls, paint), leftOutText(compared)].filter((line) => line !== '').join('\n'),
    )
  }
  return counts.changed + counts.onlyBefore + counts.onlyAfter === 0 ? ExitCode.ok : ExitCode.regression
}

function optionsOf({ ignore, exact }: DiffCommand): ComparisonOptions {
  return { ignore, exact }
}

async function callsOf(place: string, { method, profile }: DiffCommand): Promise<RecordedCall[]> {
  const store = new RecordingStore(profileFiles(profile ?? defaultProfile()).recordings)
  const view = await RecordingView.open(await recordingPlace(place, store))
  for (const problem of view.problems) writeStderr(`patchbay: ${place}: ${problem}`)
  const calls = await recordedCalls(view)
  return method === undefined ? calls : calls.filter((call) => call.method === method)
}

async function readJson(file: string): Promise<unknown> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new StartError(`${file} cannot be read: ${messageOf(error)}`, { cause: error })
  })
  const parsed = parseMessage(bytes, DEFAULT_LIMITS)
  if (!parsed.ok) throw new StartError(`expected one JSON value in ${file}: ${parsed.error.message}`)
  return parsed.value
}

function countsOf(calls: readonly ComparedCall[]) {
  const both = calls.filter((call) => call.type === 'both')
  const changed = both.filter(({ comparison }) => comparison.changes.length > 0).length
  return {
    same: both.length - changed,
    changed,
    moved: both.filter(({ moved }) => moved).length,
    onlyBefore: calls.filter(({ type }) => type === 'before').length,
    onlyAfter: calls.filter(({ type }) => type === 'after').length,
  }
}

function isShown(call: ComparedCall): boolean {
  return call.type !== 'both' || call.moved || call.comparison.changes.length > 0
}

/** A compared call for JSON: without what the recordings say themselves. */
function plain(call: ComparedCall) {
  const brief = ({ frame, kind, direction, method, target, durationMs }: RecordedCall) => ({
    frame,
    kind,
    direction,
    method,
    target,
    ...(durationMs !== undefined && { durationMs }),
  })
  if (call.type === 'before') return { type: 'before', before: brief(call.before) }
  if (call.type === 'after') return { type: 'after', after: brief(call.after) }
  const { before, after, moved, comparison } = call
  return { type: 'both', before: brief(before), after: brief(after), moved, ...comparison }
}
