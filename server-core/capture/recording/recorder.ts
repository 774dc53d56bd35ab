import { countText } from '../../protocol/count-text.ts'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { frameOf, type Frame, type Tap } from '../../ports/tap.ts'
import { Redaction } from '../redaction.ts'
import { BatchWriter, type RecordingSink } from './batch-writer.ts'
import { FrameLines, type ConnectionLines, type Masks } from './frame-lines.ts'
import { createRecordingFile } from './recording-file.ts'
import { FORMAT, VERSION, type ConnectionSource, type Mark } from './recording-format.ts'
import { SegmentSink, type OnSealed } from './segment-sink.ts'
import { WriteQueue } from './write-queue.ts'
import { messageOf } from '../../protocol/error-message.ts'

/** Once frames are shed, they are until so much of the room is free again: one long gap says more than many. */
const ROOM_SHARE = 0.5
const MICROS = 1_000
/** Segments are at most so long, unless one frame is longer. */
const SEGMENT_BYTES = 16 * 1024 * 1024
/** What the line of a frame has beside its bytes, roughly. */
const LINE_EXTRA_BYTES = 2_048

export type RecorderOptions = {
  /** The secrets that do not reach the file. */
  readonly redaction?: Masks
  /** What goes wrong, in words, once until it is over. Recording goes on as soon as it can. */
  readonly onTrouble: (text: string) => void
  /** Bytes that may wait for the disk. */
  readonly bufferBytes?: number
}

export type SegmentOptions = RecorderOptions & {
  readonly segmentBytes?: number
  /** Called with each file that is written to the end. */
  readonly onSealed?: OnSealed
}

type Target = {
  readonly path: string
  readonly sink: RecordingSink
  readonly segments?: { readonly sink: SegmentSink; readonly bytes: number }
}

/** What was recorded, and what had to be left out. */
export type RecordingTotals = { readonly frames: number; readonly shed: number }

/**
 * Writes what taps see to a file, a line for each frame, in batches in the background. It never waits and never fails:
 * what a slow or a full disk cannot take is left out, and a line says how much.
 */
export class Recorder {
  /** The file that is written. */
  readonly path: string
  readonly #queue = new WriteQueue()
  readonly #lines: FrameLines
  readonly #writer: BatchWriter
  readonly #sink: RecordingSink
  readonly #bufferBytes: number
  readonly #onTrouble: (text: string) => void
  readonly #startedAt: number
  readonly #segments: { readonly sink: SegmentSink; readonly bytes: number } | undefined
  #segment = 1
  #segmentStart = 0
  /** Times are in microseconds since it. */
  readonly #origin: number
  #frames = 0
  #shed = 0
  #gap: { readonly from: number; until: number; frames: number; bytes: number } | undefined
  #isShedding = false
  #toldGap = false
  #closing: Promise<RecordingTotals> | undefined

  private constructor(
    { path, sink, segments }: Target,
    startedAt: number,
    position: number,
    options: RecorderOptions,
  ) {
    this.path = path
    this.#startedAt = startedAt
    this.#segments = segments
    this.#sink = sink
    this.#origin = startedAt - performance.timeOrigin
    this.#lines = new FrameLines(this.#queue, options.redaction ?? new Redaction())
    this.#bufferBytes = options.bufferBytes ?? DEFAULT_LIMITS.recordingBufferBytes
    this.#onTrouble = options.onTrouble
    this.#writer = new BatchWriter(this.#queue, sink, position, (error) => {
      const why = messageOf(error)
      this.#onTrouble(
        `${path} cannot be written: ${why}. What comes next waits, and is left out when too much does.`,
      )
    })
  }

  /**
   * Begins a recording in a new file; one of the same name stays, and the new one gets a number.
   * `through` may wrap the file. Throws a `RecordingError` ('unwritable').
   */
  static async create(
    file: string,
    options: RecorderOptions,
    through: (sink: RecordingSink) => RecordingSink = (sink) => sink,
  ): Promise<Recorder> {
    const startedAt = Math.floor(performance.timeOrigin + performance.now())
    const firstLine = Buffer.from(firstLineOf(startedAt))
    const created = await createRecordingFile(file, firstLine)
    const sink = through(created.sink)
    return new Recorder({ path: created.path, sink }, startedAt, firstLine.length, options)
  }

  /**
   * Begins a recording in segments of a new folder, which is made with the first frame. Returns at once: what the disk
   * refuses is tried again. `through` may wrap the files.
   */
  static segmented(
    folder: string,
    { segmentBytes = SEGMENT_BYTES, onSealed, ...options }: SegmentOptions,
    through: (sink: RecordingSink) => RecordingSink = (sink) => sink,
  ): Recorder {
    const startedAt = Math.floor(performance.timeOrigin + performance.now())
    const segments = { sink: new SegmentSink(folder, onSealed), bytes: segmentBytes }
    const target = { path: folder, sink: through(segments.sink), segments }
    return new Recorder(target, startedAt, 0, options)
  }

  /** A tap for one connection, or for a listener; its forks are connections of their own. */
  tap(source: ConnectionSource): Tap {
    const connection = this.#lines.connection(source)
    return {
      record: (frame) => {
        this.#record(connection, frame, this.#micros())
        this.#writer.wake()
      },
      lines: (lines) => {
        const at = this.#micros()
        for (let index = 0; index < lines.ends.length; index += 1)
          this.#record(connection, frameOf(lines, index), at)
        this.#writer.wake()
      },
      fork: (transport) => this.tap(transport === undefined ? source : { ...source, transport }),
    }
  }

  /** Adds a mark, about now unless it says when (milliseconds since 1970). */
  mark(mark: Mark, at?: number): void {
    if (this.#closing !== undefined) return
    this.#beginSegments()
    this.#lines.mark(this.#moment(at), mark)
    this.#writer.wake()
  }

  /** Adds a comment, about now unless it says when. */
  comment(text: string, at?: number): void {
    if (this.#closing !== undefined) return
    this.#beginSegments()
    this.#lines.comment(this.#moment(at), text)
    this.#writer.wake()
  }

  get totals(): RecordingTotals {
    return { frames: this.#frames, shed: this.#shed }
  }

  /** Bytes that wait for the disk. */
  get waitingBytes(): number {
    return this.#writer.waitingBytes
  }

  /** Resolves when the file has everything seen so far. Rejects with the system's error if it cannot be written now. */
  flushed(): Promise<void> {
    return this.#writer.flushed()
  }

  /** Writes what waits before it returns, for a process that may end then. Throws the system's error. */
  flushNow(): void {
    this.#writer.flushNow()
  }

  /** Ends the recording: writes pending frames and waits for the disk. Reports what cannot be written. */
  close(): Promise<RecordingTotals> {
    return (this.#closing ??= this.#close())
  }

  async #close(): Promise<RecordingTotals> {
    this.#writeGap()
    const { frames, shed } = this.totals
    // A folder without a frame was not made.
    if (this.#segments === undefined || this.#queue.position > 0)
      this.#lines.end(this.#micros(), frames, shed)
    try {
      await this.#writer.flushed()
    } catch {
      // The failure was reported; now it is final.
      this.#onTrouble(
        `${this.path}: the last ${countText(this.waitingBytes)} bytes could not be written and are lost`,
      )
    }
    this.#writer.stop()
    try {
      await this.#sink.close()
    } catch (error) {
      const why = messageOf(error)
      this.#onTrouble(`${this.path} may be incomplete on the disk: ${why}`)
    }
    return { frames, shed }
  }

  #micros(): number {
    return Math.round((performance.now() - this.#origin) * MICROS)
  }

  /** A moment in milliseconds since 1970 as the file has it. */
  #moment(at: number | undefined): number {
    return at === undefined
      ? this.#micros()
      : Math.round((at - performance.timeOrigin - this.#origin) * MICROS)
  }

  #record(connection: ConnectionLines, frame: Frame, at: number): void {
    if (this.#closing !== undefined) return
    if (!this.#hasRoom()) {
      this.#leaveOut(at, frame)
      return
    }
    if (this.#gap !== undefined) this.#writeGap()
    if (this.#segments !== undefined) this.#prepareSegment(this.#segments, at, frame)
    this.#lines.frame(connection, at, frame)
    this.#frames += 1
  }

  #beginSegments(): void {
    if (this.#segments !== undefined && this.#queue.position === 0)
      this.#queue.text(firstLineOf(this.#startedAt, 1))
  }

  /** Begins the first segment, and the next one where the frame does not fit into this one. */
  #prepareSegment({ sink, bytes }: NonNullable<Target['segments']>, at: number, frame: Frame): void {
    this.#beginSegments()
    const used = this.#queue.position - this.#segmentStart
    if (used <= LINE_EXTRA_BYTES || used + frame.bytes.byteLength + LINE_EXTRA_BYTES <= bytes) return
    this.#segment += 1
    this.#lines.continued(at, this.#segment)
    this.#lines.nextFile()
    this.#segmentStart = this.#queue.position
    sink.cut(this.#segmentStart)
    this.#queue.text(firstLineOf(this.#startedAt, this.#segment))
  }

  #hasRoom(): boolean {
    const room = this.#isShedding ? this.#bufferBytes * ROOM_SHARE : this.#bufferBytes
    this.#isShedding = this.#writer.waitingBytes >= room
    return !this.#isShedding
  }

  #leaveOut(at: number, { bytes }: Frame): void {
    this.#shed += 1
    this.#gap ??= { from: at, until: at, frames: 0, bytes: 0 }
    this.#gap.until = at
    this.#gap.frames += 1
    this.#gap.bytes += bytes.byteLength
    if (this.#toldGap) return
    this.#toldGap = true
    this.#onTrouble(
      `${this.path} is written more slowly than messages come: some are left out, and a line of the recording says how many (limit recordingBufferBytes, ${this.#bufferBytes})`,
    )
  }

  #writeGap(): void {
    if (this.#gap === undefined) return
    this.#lines.gap(this.#gap)
    this.#gap = undefined
    this.#toldGap = false
  }
}

function firstLineOf(startedAt: number, segment?: number): string {
  const header = { format: FORMAT, version: VERSION, startedAt: new Date(startedAt).toISOString(), segment }
  return `${JSON.stringify(header)}\n`
}
