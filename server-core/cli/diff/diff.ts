import { readFile } from 'node:fs/promises'
import { RecordingError } from '../../capture/recording/recording-error.ts'
import { compareCalls } from '../../comparison/compare-calls.ts'
import { compareValues, type ComparisonOptions } from '../../comparison/compare-values.ts'
import type { RecordedCall } from '../../comparison/recorded-calls.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { parseMessage } from '../../protocol/parse.ts'
import { plural } from '../../protocol/plural.ts'
import { ExitCode, StartError } from '../output/exit-code.ts'
import { isForPerson, writeJson, writeStyled } from '../output/output.ts'
import { readRecordedCalls } from './read-recorded-calls.ts'
import { isJsonFile, type DiffCommand } from './diff-flags.ts'
import { countsOf, countsText, differs, isShown, toJson } from './compared-calls.ts'
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
  if (!isForPerson(command.json)) await writeJson({ ...counts, calls: calls.filter(isShown).map(toJson) })
  else {
    const compared = calls.flatMap((call) => (call.type === 'both' ? [call.comparison] : []))
    await writeStyled(({ paint }) =>
      [countsText(counts), ...callsText(calls, paint), leftOutText(compared)]
        .filter((line) => line !== '')
        .join('\n'),
    )
  }
  return differs(counts) ? ExitCode.regression : ExitCode.ok
}

function optionsOf({ ignore, exact }: DiffCommand): ComparisonOptions {
  return { ignore, exact }
}

async function callsOf(place: string, { method, profile }: DiffCommand): Promise<RecordedCall[]> {
  const calls = await readRecordedCalls(place, profile)
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
