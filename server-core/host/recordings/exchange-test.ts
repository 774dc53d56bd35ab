import { mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import type { z } from 'zod'
import type { FrameView } from '../../capture/exchange.ts'
import { callsOfFrames } from '../../comparison/recorded-calls.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { parseExact } from '../../protocol/exact-json.ts'
import { RecordedTestError } from '../../recorded-tests/recorded-test-error.ts'
import { recordedTest } from '../../recorded-tests/recorded-test.ts'
import { systemCode } from '../../workspace/storage-error.ts'
import type { testOfInputSchema } from '../contract/recordings.ts'
import { HostError } from '../host-error.ts'

/** Characters of the messages of one exchange. */
const MOST_CHARACTERS = 4 * 1_024 * 1_024

/** Writes the text of a test file for an exchange: its request, and what the server answered as the expectation. */
export function testOfExchange(
  { server, revision, source }: z.output<typeof testOfInputSchema>,
  frames: readonly FrameView[],
): { text: string } {
  const messages = frames.filter(({ kind }) => kind === 'message')
  if (messages.length === 0)
    throw new HostError('NOT_FOUND', 'The exchange has no message, or its frames are no longer stored.')
  if (messages.reduce((sum, { text }) => sum + text.length, 0) > MOST_CHARACTERS)
    throw new HostError('TOO_LARGE', 'The messages are longer than 4 MiB, the most that a test is made of.')
  const calls = callsOfFrames(
    messages.map(({ seq, at, direction, text }) => {
      const value = parsed(text)
      const all = Array.isArray(value) ? (value as unknown[]) : [value]
      return { number: seq, at, direction, connection: 1, messages: all }
    }),
  )
  try {
    const { text } = recordedTest(calls, {
      source,
      inOneTest: false,
      ...(server !== undefined && { server }),
      ...(revision !== undefined && { revision }),
    })
    return { text }
  } catch (error) {
    if (error instanceof RecordedTestError) throw new HostError('REFUSED', error.message, { cause: error })
    throw error
  }
}

/** Writes a new test file into a folder; no file is written over. */
export async function saveTest(folder: string, name: string, text: string): Promise<{ file: string }> {
  const file = path.join(folder, name)
  try {
    await mkdir(folder, { recursive: true })
    await using handle = await open(file, 'wx')
    await handle.writeFile(text)
    return { file }
  } catch (error) {
    if (systemCode(error) === 'EEXIST')
      throw new HostError('ALREADY_EXISTS', `${file} is there already. Choose another name.`, {
        cause: error,
      })
    throw new HostError('REFUSED', `${file} could not be written: ${messageOf(error)}`, { cause: error })
  }
}

/** A message as JSON; undefined for an invalid one. */
function parsed(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}
