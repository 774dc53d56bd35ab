import { open } from 'node:fs/promises'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { TransportError } from '../../ports/contract.ts'
import { LineSplitter } from '../../transports/stdio/line-splitter.ts'
import { LineReader, type LineMeaning } from './recorded-line.ts'
import { RecordingError } from './recording-error.ts'
import type { RecordingEntry } from './recording-format.ts'
import { messageOf } from '../../protocol/error-message.ts'

/** The longest line that is written: a message of control characters only, each as an escape of six. */
const LINE_BYTES = DEFAULT_LIMITS.messageBytes * 6 + 1024 * 1024
const CHUNK_BYTES = 1024 * 1024

/**
 * Yields the contents of a recording in the order in which they were seen, and its end. It reads on as entries are consumed,
 * and does nothing else: a recording is data. An incomplete last line is left out and counted.
 * Throws a `RecordingError`; `damaged` only behind everything that comes before the damage.
 */
export function readRecording(file: string): AsyncGenerator<RecordingEntry, void, undefined> {
  return readChunks(chunksOf(file), file)
}

/** The same for bytes that come from anywhere, in chunks of any length. `name` is what errors call them. */
export async function* readChunks(
  chunks: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<RecordingEntry, void, undefined> {
  let number = 0
  let reader: LineReader | undefined
  let isClosed = false
  let lines: Buffer[] = []
  const splitter = new LineSplitter(LINE_BYTES, (line) => lines.push(line))
  for await (const chunk of chunks) {
    const problem = pushed(splitter, chunk)
    for (const line of lines) {
      number += 1
      if (reader === undefined) {
        reader = new LineReader(line, name)
        continue
      }
      const meaning = readLine(reader, line, `${name}, line ${number}`)
      if (meaning.type === 'frame' || meaning.type === 'gap') yield meaning
      else if (meaning.type === 'closed') isClosed = true
    }
    lines = []
    if (problem !== undefined)
      throw new RecordingError('damaged', `${name}, line ${number + 1}: ${problem.message}`, {
        cause: problem,
      })
  }
  // A file without a complete first line is reported like any other file that is not a recording.
  if (reader === undefined) new LineReader(Buffer.alloc(0), name)
  yield { type: 'end', closed: isClosed, tornBytes: splitter.pendingBytes }
}

async function* chunksOf(file: string): AsyncGenerator<Buffer> {
  try {
    const handle = await open(file)
    yield* handle.createReadStream({ highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>
  } catch (error) {
    const why = messageOf(error)
    throw new RecordingError('unreadable', `${file} cannot be read: ${why}`, { cause: error })
  }
}

/** Lines that came before one that is too long are good. */
function pushed(splitter: LineSplitter, chunk: Buffer): TransportError | undefined {
  try {
    splitter.push(chunk)
    return undefined
  } catch (error) {
    if (error instanceof TransportError) return error
    throw error
  }
}

function readLine(reader: LineReader, line: Buffer, place: string): LineMeaning {
  try {
    return reader.read(line)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new RecordingError('damaged', `${place} makes no sense: ${error.message}`, { cause: error })
  }
}
