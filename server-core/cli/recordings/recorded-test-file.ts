import { copyFile, mkdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { recordedCalls } from '../../comparison/recorded-calls.ts'
import { plural } from '../../protocol/plural.ts'
import { recordedTest } from '../../recorded-tests/recorded-test.ts'
import { RecordingView } from '../../recordings/recording-view.ts'
import { joinSegments } from '../../recordings/store/join-segments.ts'
import { recordingPlace } from '../../recordings/store/recording-place.ts'
import type { RecordingStore } from '../../recordings/store/recording-store.ts'
import { systemCode } from '../../workspace/storage-error.ts'
import { ExitCode, StartError } from '../output/exit-code.ts'
import { writeStderr, writeText } from '../output/output.ts'
import type { RecordingsCommand } from './recordings-flags.ts'

const SPEC_ENDING = /\.(spec|test)\.[cm]?[jt]s$/
const MOST_NAMED = 20

/**
 * `patchbay recordings test`: writes a test file made from a recording, with the recording beside it, or prints it.
 * Rejects with a `RecordedTestError` if nothing of the recording can be tested, and with a `StartError` if the file is there.
 */
export async function writeRecordedTest(
  { place, out, force, inOneTest, server }: Extract<RecordingsCommand, { readonly action: 'test' }>,
  store: RecordingStore,
): Promise<ExitCode> {
  const found = await recordingPlace(place, store)
  const view = await RecordingView.open(found)
  for (const problem of view.problems) writeStderr(`patchbay: ${problem}`)
  const calls = await recordedCalls(view)
  const beside = out?.replace(SPEC_ENDING, '.ndjson')
  const source = beside === undefined ? path.basename(place) : path.basename(beside)
  const made = recordedTest(calls, { source, inOneTest, ...(server !== undefined && { server }) })
  for (const line of made.left.slice(0, MOST_NAMED)) writeStderr(`patchbay: not tested: ${line}`)
  if (made.left.length > MOST_NAMED)
    writeStderr(`patchbay: not tested: ${made.left.length - MOST_NAMED} further requests`)
  if (out === undefined || beside === undefined) {
    await writeText(made.text.trimEnd())
    return ExitCode.ok
  }
  await mkdir(path.dirname(out), { recursive: true })
  try {
    await writeFile(out, made.text, { flag: force ? 'w' : 'wx' })
  } catch (error) {
    if (systemCode(error) === 'EEXIST')
      throw new StartError(`${out} is there already: name another file, or add --force to replace it`, {
        cause: error,
      })
    throw error
  }
  if (path.resolve(found) !== beside) {
    if ((await stat(found)).isDirectory()) await joinSegments(found, beside)
    else await copyFile(found, beside)
  }
  await writeText(out)
  writeStderr(
    `patchbay: ${plural(made.tests, 'test')}, from ${source}; run: npx patchbay test ${path.relative('', out)}`,
  )
  return ExitCode.ok
}
