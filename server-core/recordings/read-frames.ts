import { open } from 'node:fs/promises'
import { LineReader, type LineMeaning } from '../capture/recording/recorded-line.ts'
import type { Definition, PartIndex } from './index/part-index.ts'
import type { Part } from './recording-parts.ts'

/** Lines that lie no further apart are read together. */
const NEAR_BYTES = 64 * 1024
/** So much is read at once, unless one line is longer. */
const MOST_BYTES = 4 * 1024 * 1024

/** A line of a part to be read. */
export type Place = { readonly offset: number; readonly length: number }

/**
 * Reads lines of a part in the order of their offsets. A line that cannot be read, or that the index describes wrongly, is
 * passed as the error that says why.
 */
export async function readPlaces(
  part: Part,
  { summary }: PartIndex,
  firstLine: Buffer,
  places: readonly Place[],
): Promise<(LineMeaning | TypeError)[]> {
  const reader = new LineReader(firstLine, part.file)
  const handle = await open(part.file)
  try {
    const read: (LineMeaning | TypeError)[] = []
    let defined = 0
    const bytesOf = windowOf(summary.base, (buffer, position) => handle.read(buffer, { position }))
    for (const [number, place] of places.entries()) {
      const definitions = newestBefore(summary.definitions, defined, place.offset)
      defined = definitions.end
      for (const definition of definitions.newest) meaningOf(reader, await bytesOf([definition], 0))
      read.push(meaningOf(reader, await bytesOf(places, number)))
    }
    return read
  } finally {
    await handle.close()
  }
}

/** Of definitions from `start` on and before that offset, the newest of each key. */
function newestBefore(
  definitions: readonly Definition[],
  start: number,
  offset: number,
): { readonly newest: Iterable<Definition>; readonly end: number } {
  const newest = new Map<string, Definition>()
  let end = start
  for (; end < definitions.length; end += 1) {
    const definition = definitions[end]
    if (definition === undefined || definition.offset >= offset) break
    newest.set(definition.key, definition)
  }
  return { newest: newest.values(), end }
}

type Read = (buffer: Buffer, position: number) => Promise<{ readonly bytesRead: number }>

/** Reads places one by one, and those that follow closely together with them. */
function windowOf(base: number, read: Read): (places: readonly Place[], from: number) => Promise<Buffer> {
  let start = 0
  let bytes: Buffer = Buffer.alloc(0)
  return async (places, from) => {
    const first = places[from]
    if (first === undefined) return Buffer.alloc(0)
    if (first.offset < start || first.offset + first.length > start + bytes.length) {
      let end = first.offset + first.length
      for (let next = from + 1; next < places.length; next += 1) {
        const place = places[next]
        if (place === undefined || place.offset - end > NEAR_BYTES) break
        if (place.offset + place.length - first.offset > MOST_BYTES) break
        end = Math.max(end, place.offset + place.length)
      }
      start = first.offset
      const buffer = Buffer.alloc(end - start)
      const { bytesRead } = await read(buffer, base + start)
      bytes = buffer.subarray(0, bytesRead)
    }
    return bytes.subarray(first.offset - start, first.offset - start + first.length)
  }
}

function meaningOf(reader: LineReader, line: Buffer): LineMeaning | TypeError {
  try {
    return reader.read(line)
  } catch (error) {
    if (error instanceof TypeError) return error
    throw error
  }
}
