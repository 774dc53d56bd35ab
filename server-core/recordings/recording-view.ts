import { readFile } from 'node:fs/promises'
import type {
  RecordedComment,
  RecordedFrame,
  RecordedGap,
  RecordedMark,
} from '../capture/recording/recording-format.ts'
import { findFrames, type FoundFrame, type RecordingFilter } from './find-frames.ts'
import { NO_PAIR } from './index/frame-table.ts'
import type { IndexedMethod, PartIndex } from './index/part-index.ts'
import { readPlaces } from './read-frames.ts'
import { openParts, type Part, type Parts } from './recording-parts.ts'

const MICROS = 1_000
/** Indexes with their frames that are in memory, if they can be loaded again. */
const LOADED = 6

export type NumberedFrame = RecordedFrame & {
  /** Its place in the recording, from 0. */
  readonly number: number
}
export type RecordingNote = RecordedMark | RecordedComment | RecordedGap

/** A recording that is open for reading: what it has as a whole, and any part of it without the rest. */
export class RecordingView {
  readonly place: string
  readonly #parts: Parts
  /** The number of the first frame of each part. */
  readonly #starts: readonly number[]
  readonly #loaded = new Map<number, Promise<PartIndex>>()

  private constructor(place: string, parts: Parts) {
    this.place = place
    this.#parts = parts
    let frames = 0
    this.#starts = parts.parts.map(({ summary }) => {
      const start = frames
      frames += summary.frames
      return start
    })
  }

  /** Opens a file, or a folder of segments. Throws a `RecordingError`. */
  static async open(place: string): Promise<RecordingView> {
    return new RecordingView(place, await openParts(place))
  }

  /** What cannot be shown of it, in words. */
  get problems(): readonly string[] {
    const damaged = this.#summaries.reduce(
      (sum, { others }) => sum + others.filter(({ type }) => type === 'damage').length,
      0,
    )
    const { problems } = this.#parts
    return damaged === 0 ? problems : [...problems, `${damaged} lines cannot be read and are left out`]
  }

  get version(): number {
    return this.#parts.header.version
  }

  /** Milliseconds since 1970. */
  get startedAt(): number {
    return this.#parts.header.startedAt
  }

  /** When the last frame came. */
  get endedAt(): number {
    const last = this.#summaries.findLast(({ frames }) => frames > 0)
    return this.startedAt + (last?.lastAt ?? 0) / MICROS
  }

  get frames(): number {
    return this.#sum(({ frames }) => frames)
  }

  get bytes(): number {
    return this.#sum(({ bytes }) => bytes)
  }

  get errors(): number {
    return this.#sum(({ errors }) => errors)
  }

  /** The recorder was closed: nothing follows. */
  get isClosed(): boolean {
    return this.#summaries.at(-1)?.isSealed ?? false
  }

  /** Methods by name, with the numbers of their requests and notifications, the most frequent first. */
  methods(): IndexedMethod[] {
    const methods = new Map<string, IndexedMethod>()
    for (const summary of this.#summaries) {
      for (const { method, count, errors } of summary.methods) {
        if (count === 0) continue
        const known = methods.get(method)
        if (known === undefined) methods.set(method, { method, count, errors })
        else {
          known.count += count
          known.errors += errors
        }
      }
    }
    return [...methods.values()].sort((a, b) => b.count - a.count)
  }

  /** The frames that begin something and match, the newest first, before a number. */
  async find(filter: RecordingFilter, limit: number, before = Infinity): Promise<FoundFrame[]> {
    const found: FoundFrame[] = []
    for (let part = this.#parts.parts.length - 1; part >= 0 && found.length < limit; part -= 1) {
      const start = this.#starts[part] ?? 0
      const opened = this.#parts.parts[part]
      if (opened === undefined || start >= before) continue
      const matches = await findFrames(
        filter,
        { startedAt: this.startedAt, summary: opened.summary },
        { index: () => this.#index(part), bytes: () => bytesOf(opened) },
        { before: before - start, limit: limit - found.length },
      )
      for (const { number, at } of matches) found.push({ number: start + number, at })
    }
    return found
  }

  /** The frames with those numbers and, if asked for, those that answer them or are answered by them; in order. */
  async read(
    numbers: Iterable<number>,
    options: { readonly pairs?: boolean } = {},
  ): Promise<NumberedFrame[]> {
    const byPart = new Map<number, Set<number>>()
    for (const number of numbers) {
      const part = this.#partOf(number)
      if (part === undefined) continue
      const frames = byPart.get(part) ?? new Set()
      frames.add(number - (this.#starts[part] ?? 0))
      byPart.set(part, frames)
    }
    const read: NumberedFrame[] = []
    for (const [part, frames] of [...byPart].sort(([a], [b]) => a - b)) {
      const opened = this.#parts.parts[part]
      if (opened === undefined) continue
      const index = await this.#index(part)
      const { table } = index
      if (options.pairs === true)
        for (const frame of [...frames]) if (table.pair(frame) !== NO_PAIR) frames.add(table.pair(frame))
      const sorted = [...frames].filter((frame) => frame < table.count).sort((a, b) => a - b)
      const places = sorted.map((frame) => ({ offset: table.offset(frame), length: table.length(frame) }))
      const lines = await readPlaces(opened, index, this.#parts.firstLine, places)
      for (const [place, line] of lines.entries()) {
        if (line instanceof TypeError || line.type !== 'frame') continue
        read.push({ ...line, number: (this.#starts[part] ?? 0) + (sorted[place] ?? 0) })
      }
    }
    return read
  }

  /** The number of the first frame at or behind that time, in milliseconds since 1970. */
  async frameAt(time: number): Promise<number> {
    const micros = Math.round((time - this.startedAt) * MICROS)
    for (const [part, { lastAt, frames }] of this.#summaries.entries()) {
      if (frames === 0 || lastAt < micros) continue
      return (this.#starts[part] ?? 0) + (await this.#index(part)).table.firstAt(micros)
    }
    return this.frames
  }

  /** Marks, comments and gaps. */
  async notes(): Promise<RecordingNote[]> {
    const notes: RecordingNote[] = []
    for (const [number, part] of this.#parts.parts.entries()) {
      const places = part.summary.others.filter(({ type }) => type !== 'damage')
      if (places.length === 0) continue
      const lines = await readPlaces(part, await this.#index(number), this.#parts.firstLine, places)
      for (const line of lines)
        if (
          !(line instanceof TypeError) &&
          (line.type === 'mark' || line.type === 'comment' || line.type === 'gap')
        )
          notes.push(line)
    }
    return notes
  }

  get #summaries() {
    return this.#parts.parts.map(({ summary }) => summary)
  }

  #sum(of: (summary: Part['summary']) => number): number {
    return this.#parts.parts.reduce((sum, { summary }) => sum + of(summary), 0)
  }

  #partOf(number: number): number | undefined {
    if (number < 0 || number >= this.frames) return undefined
    return this.#starts.findLastIndex((start) => start <= number)
  }

  #index(part: number): Promise<PartIndex> {
    const known = this.#loaded.get(part)
    if (known !== undefined) {
      this.#loaded.delete(part)
      this.#loaded.set(part, known)
      return known
    }
    const opened = this.#parts.parts[part]
    if (opened === undefined) throw new RangeError(`there is no part ${part}`)
    const loading = opened.index()
    this.#loaded.set(part, loading)
    for (const oldest of this.#loaded.keys()) {
      if (this.#loaded.size <= LOADED) break
      this.#loaded.delete(oldest)
    }
    return loading
  }
}

async function bytesOf({ file, summary }: Part): Promise<Buffer> {
  const bytes = await readFile(file)
  return bytes.subarray(summary.base, summary.base + summary.bytes)
}
