import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { messageOf } from '../../protocol/error-message.ts'
import { Redaction } from '../redaction.ts'
import { FrameLines } from './frame-lines.ts'
import { LINE_BYTES } from './recording-reader.ts'
import { LineReader } from './recorded-line.ts'
import { RecordingError } from './recording-error.ts'
import type { RecordedComment, RecordedMark } from './recording-format.ts'

const FIRST_LINE_BYTES = 64 * 1024
const TAIL_BYTES = 64 * 1024
const LF = 0x0a
const MICROS = 1_000

/** A mark or a comment about a moment, in milliseconds since 1970. */
export type Note = RecordedMark | RecordedComment

/**
 * Appends marks and comments to a recording that is closed. A recording that is still written gets them from its
 * `Recorder`. Throws a `RecordingError`; the file is then as it was.
 */
export async function appendNotes(
  file: string,
  notes: readonly Note[],
  redaction: Redaction = new Redaction(),
): Promise<void> {
  let handle: FileHandle
  try {
    handle = await open(file, constants.O_RDWR | constants.O_APPEND)
  } catch (error) {
    throw new RecordingError('unwritable', `cannot append to ${file}: ${messageOf(error)}`, { cause: error })
  }
  try {
    const { startedAt } = (await readerOf(handle, file)).header
    if (!(await isClosed(handle)))
      throw new RecordingError(
        'open',
        `${file} has no end: it is still written, or its process was ended. Run patchbay recordings verify --repair ${file} if nothing writes to it.`,
      )
    const pieces: string[] = []
    const lines = new FrameLines({ text: (text) => pieces.push(text), copy: () => undefined }, redaction)
    for (const note of notes) {
      const at = Math.round((note.at - startedAt) * MICROS)
      if (note.type === 'mark') lines.mark(at, note)
      else lines.comment(at, note.text)
    }
    await handle.appendFile(pieces.join(''))
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function readerOf(handle: FileHandle, file: string): Promise<LineReader> {
  const first = await bytesAt(handle, 0, FIRST_LINE_BYTES)
  const end = first.indexOf(LF)
  return new LineReader(first.subarray(0, Math.max(end, 0)), file)
}

/** Whether nothing but notes follows the line that closes a recording. */
async function isClosed(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat()
  for (let length = Math.min(size, TAIL_BYTES); ; length = Math.min(size, length * 4)) {
    const tail = await bytesAt(handle, size - length, length)
    if (tail[tail.length - 1] !== LF) return false
    const lines = tail.subarray(0, -1).toString('latin1').split('\n')
    // The first one may be cut.
    const last = lines.slice(1).findLast((line) => !/^\{"at":-?\d+,"(?:mark|comment)":/.test(line))
    if (last !== undefined) return /^\{"at":-?\d+,"end":/.test(last)
    if (length === size || length > LINE_BYTES) return false
  }
}

async function bytesAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
