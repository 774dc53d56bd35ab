import { open, readdir, stat, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { messageOf } from '../protocol/error-message.ts'
import { LineCutter } from '../capture/recording/line-cutter.ts'
import { LineReader } from '../capture/recording/recorded-line.ts'
import { LINE_BYTES } from '../capture/recording/recording-reader.ts'
import { RecordingError } from '../capture/recording/recording-error.ts'
import type { RecordingHeader } from '../capture/recording/recording-format.ts'
import { SEGMENT_FILE } from '../capture/recording/segment-sink.ts'
import { IndexBuilder } from './index/index-builder.ts'
import { indexFileOf, readIndex, readSummary, writeIndex } from './index/index-file.ts'
import type { PartIndex, PartSummary } from './index/part-index.ts'

const CHUNK_BYTES = 1024 * 1024
/** A file that is not stored in segments is indexed in parts of this length. */
const PART_BYTES = 16 * 1024 * 1024
/** Frames of files without stored indexes that are indexed: the view of a longer file is partial, and says so. */
const MOST_FRAMES = 8_000_000

/** A part of a recording: a segment, or so much of a long file. */
export type Part = {
  readonly file: string
  readonly summary: PartSummary
  /** Loads the index with its frames. */
  index(): Promise<PartIndex>
}

export type Parts = {
  readonly header: RecordingHeader
  readonly firstLine: Buffer
  readonly parts: readonly Part[]
  /** What is missing from the view, in words. */
  readonly problems: readonly string[]
}

/**
 * Opens a recording: a file, or a folder of segments, for which stored indexes are used, and made where they are
 * missing. Throws a `RecordingError`.
 */
export async function openParts(place: string): Promise<Parts> {
  try {
    return (await stat(place)).isDirectory() ? await openSegments(place) : await openFile(place)
  } catch (error) {
    if (error instanceof RecordingError) throw error
    throw new RecordingError('unreadable', `${place} cannot be read: ${messageOf(error)}`, { cause: error })
  }
}

async function openSegments(folder: string): Promise<Parts> {
  const names = (await readdir(folder)).filter((name) => SEGMENT_FILE.test(name)).sort()
  const [first] = names
  if (first === undefined)
    throw new RecordingError('no-recording', `${folder} is not a recording of Patchbay: it has no segments`)
  const problems: string[] = []
  const firstNumber = Number.parseInt(first, 10)
  if (firstNumber > 1)
    problems.push(`${firstNumber - 1} older segments were deleted to keep within the limit of all recordings`)
  const { header, firstLine } = await readFirstLine(path.join(folder, first))
  const parts: Part[] = []
  let expected = firstNumber
  for (const name of names) {
    const number = Number.parseInt(name, 10)
    if (number !== expected) problems.push(`segments before ${name} are missing`)
    expected = number + 1
    const file = path.join(folder, name)
    try {
      parts.push(await openSegment(file))
    } catch (error) {
      problems.push(`${name} cannot be read: ${messageOf(error)}`)
    }
  }
  return { header, firstLine, parts, problems }
}

async function openSegment(file: string): Promise<Part> {
  const indexFile = indexFileOf(file)
  const { size } = await stat(file)
  const stored = await readSummary(indexFile)
  if (stored?.bytes === size)
    return {
      file,
      summary: stored,
      index: async () => (await readIndex(indexFile)) ?? (await firstOf(indexesOf(file, Infinity))),
    }
  const made = await firstOf(indexesOf(file, Infinity))
  // One that is still written would have to be written again and again.
  if (made.summary.isSealed) await writeIndex(indexFile, made).catch(() => undefined)
  return { file, summary: made.summary, index: () => Promise.resolve(made) }
}

/** Makes the index of a segment and writes it beside it. */
export async function indexSegment(file: string): Promise<void> {
  await writeIndex(indexFileOf(file), await firstOf(indexesOf(file, Infinity)))
}

async function firstOf(indexes: AsyncIterable<PartIndex>): Promise<PartIndex> {
  for await (const index of indexes) return index
  return new IndexBuilder().finish()
}

async function openFile(file: string): Promise<Parts> {
  const { header, firstLine } = await readFirstLine(file)
  const problems: string[] = []
  const parts: Part[] = []
  const { size } = await stat(file)
  let frames = 0
  for await (const made of indexesOf(file, PART_BYTES)) {
    parts.push({ file, summary: made.summary, index: () => Promise.resolve(made) })
    frames += made.summary.frames
    const end = made.summary.base + made.summary.bytes
    if (frames < MOST_FRAMES || end >= size) continue
    problems.push(
      `only the first ${frames} frames are shown (${end} of ${size} bytes): the file is too long for a view`,
    )
    break
  }
  return { header, firstLine, parts, problems }
}

/** Yields the indexes of parts of that length, in order. Other work goes on between chunks. */
async function* indexesOf(file: string, partBytes: number): AsyncGenerator<PartIndex> {
  const handle = await open(file)
  try {
    let builder = new IndexBuilder()
    let base = 0
    const cutter = new LineCutter(LINE_BYTES)
    for await (const chunk of handle.createReadStream({ highWaterMark: CHUNK_BYTES, autoClose: false })) {
      for (const line of cutter.push(chunk as Buffer)) {
        builder.add(line)
        if (builder.bytes < partBytes) continue
        yield builder.finish()
        base = line.offset + line.length + 1
        builder = new IndexBuilder(base, builder.definitionsFor(base))
      }
    }
    yield builder.finish()
  } finally {
    await handle.close()
  }
}

async function readFirstLine(file: string): Promise<{ header: RecordingHeader; firstLine: Buffer }> {
  const handle = await open(file)
  try {
    const firstLine = await lineAt(handle)
    return { header: new LineReader(firstLine, file).header, firstLine }
  } finally {
    await handle.close()
  }
}

async function lineAt(handle: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(64 * 1024), { position: 0 })
  const end = buffer.subarray(0, bytesRead).indexOf('\n')
  return buffer.subarray(0, Math.max(0, end))
}
