import { open } from 'node:fs/promises'
import { countText } from '../../protocol/count-text.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { LineCutter, type CutLine } from './line-cutter.ts'
import { LineReader, type LineMeaning } from './recorded-line.ts'
import { RecordingError } from './recording-error.ts'
import type { RecordingEntry, RecordingHeader } from './recording-format.ts'

/** The longest line that is written: a message of control characters only, each as an escape of six. */
export const LINE_BYTES = DEFAULT_LIMITS.messageBytes * 6 + 1024 * 1024
const CHUNK_BYTES = 1024 * 1024

export type ReadOptions = {
  /** `report`: a line that cannot be read is an entry `damage`, and reading goes on. `throw` is the default. */
  readonly damage?: 'throw' | 'report'
  /** Called with what the first line says, before the first entry. */
  readonly onHeader?: (header: RecordingHeader) => void
}

/**
 * Yields the contents of a recording in the order in which they were seen, and its end. It reads on as entries are consumed,
 * and does nothing else: a recording is data. An incomplete last line is left out and counted.
 * Throws a `RecordingError`; `damaged` only behind everything that comes before the damage.
 */
export function readRecording(
  file: string,
  options: ReadOptions = {},
): AsyncGenerator<RecordingEntry, void, undefined> {
  return readChunks(chunksOf(file), file, options)
}

/** The same for bytes that come from anywhere, in chunks of any length. `name` is what errors call them. */
export async function* readChunks(
  chunks: AsyncIterable<Buffer>,
  name: string,
  { damage = 'throw', onHeader }: ReadOptions = {},
): AsyncGenerator<RecordingEntry, void, undefined> {
  let number = 0
  let reader: LineReader | undefined
  let isClosed = false
  const cutter = new LineCutter(LINE_BYTES)
  for await (const chunk of chunks) {
    for (const line of cutter.push(chunk)) {
      number += 1
      if (reader === undefined) {
        reader = new LineReader(line.bytes ?? Buffer.alloc(0), name)
        onHeader?.(reader.header)
        continue
      }
      const meaning = readLine(reader, line)
      if (meaning.type === 'closed' || meaning.type === 'continued') isClosed = true
      else if (meaning.type === 'problem') {
        if (damage === 'throw')
          throw new RecordingError('damaged', `${name}, line ${number}: ${meaning.reason}`)
        yield { type: 'damage', line: number, bytes: line.length, reason: meaning.reason }
      } else if (meaning.type !== 'defined') yield meaning
    }
    // Without a line end in sight it is not a recording, however long it is.
    if (reader === undefined && cutter.pendingBytes > CHUNK_BYTES) break
  }
  // A file without a complete first line is reported like any other file that is not a recording.
  if (reader === undefined) new LineReader(Buffer.alloc(0), name)
  yield { type: 'end', closed: isClosed, tornBytes: cutter.pendingBytes }
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

type Problem = { readonly type: 'problem'; readonly reason: string }

function readLine(reader: LineReader, { bytes, length }: CutLine): LineMeaning | Problem {
  if (bytes === undefined) {
    const most = countText(LINE_BYTES)
    return { type: 'problem', reason: `the line has ${countText(length)} bytes; at most ${most} are read` }
  }
  try {
    return reader.read(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { type: 'problem', reason: error.message }
  }
}
