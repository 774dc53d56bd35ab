import { open, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { BYTES_PER_FRAME, columnsFor, FrameTable, type Columns } from './frame-table.ts'
import type { PartIndex, PartSummary } from './part-index.ts'

const FORMAT = 'patchbay-recording-index'
const VERSION = 1
const HEADER_BYTES = 64 * 1024
const LF = 0x0a
const OWNER_ONLY = 0o600

const count = z.int().min(0)
const headerSchema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  base: count,
  bytes: count,
  frames: count,
  firstAt: z.number(),
  lastAt: z.number(),
  errors: count,
  isSealed: z.boolean(),
  methods: z.array(z.object({ method: z.string(), target: z.string().optional(), count, errors: count })),
  definitions: z.array(z.object({ offset: z.int(), length: count, key: z.string() })),
  others: z.array(
    z.object({
      type: z.enum(['mark', 'comment', 'gap', 'damage']),
      offset: count,
      length: count,
      at: z.number(),
    }),
  ),
})

/** The file of a segment's index. */
export function indexFileOf(segment: string): string {
  return segment.replace(/\.ndjson$/, '.index')
}

/** Writes an index to its file, whole or not at all. */
export async function writeIndex(file: string, { summary, table }: PartIndex): Promise<void> {
  const header = Buffer.from(`${JSON.stringify({ format: FORMAT, version: VERSION, ...summary })}\n`)
  const columns = Object.values(table.columns()).map((column) =>
    Buffer.from(column.buffer, column.byteOffset, column.byteLength),
  )
  const unfinished = `${file}.tmp`
  try {
    await writeFile(unfinished, Buffer.concat([header, ...columns]), { mode: OWNER_ONLY })
    await rename(unfinished, file)
  } catch (error) {
    await unlink(unfinished).catch(() => undefined)
    throw error
  }
}

/** Reads what an index says about its part as a whole; undefined if it is missing or cannot be used. */
export async function readSummary(file: string): Promise<PartSummary | undefined> {
  try {
    const handle = await open(file)
    try {
      const { size } = await handle.stat()
      for (let length = HEADER_BYTES; ; length *= 8) {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(length, size)), { position: 0 })
        const end = buffer.subarray(0, bytesRead).indexOf(LF)
        if (end !== -1) return checked(buffer.subarray(0, end), size - end - 1)
        if (length >= size) return undefined
      }
    } finally {
      await handle.close()
    }
  } catch {
    return undefined
  }
}

/** Reads an index; undefined if it is missing or cannot be used. */
export async function readIndex(file: string): Promise<PartIndex | undefined> {
  try {
    const bytes = await readFile(file)
    const end = bytes.indexOf(LF)
    const summary = checked(bytes.subarray(0, Math.max(0, end)), bytes.length - end - 1)
    if (summary === undefined) return undefined
    return { summary, table: new FrameTable(columnsOf(bytes, end + 1, summary.frames), summary.frames) }
  } catch {
    return undefined
  }
}

function checked(header: Buffer, columnBytes: number): PartSummary | undefined {
  const read = headerSchema.safeParse(JSON.parse(header.toString()))
  if (!read.success || columnBytes !== read.data.frames * BYTES_PER_FRAME) return undefined
  const { format: _format, version: _version, ...summary } = read.data
  return summary
}

function columnsOf(bytes: Buffer, start: number, frames: number): Columns {
  const columns = columnsFor(frames)
  let at = start
  for (const column of Object.values(columns)) {
    bytes.copy(Buffer.from(column.buffer), 0, at, at + column.byteLength)
    at += column.byteLength
  }
  return columns
}
