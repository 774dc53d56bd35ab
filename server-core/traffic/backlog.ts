import { frameOf, type Frame, type MessageLines } from '../transports/tap.ts'
import type { Connection } from './connection.ts'
import type { Recorded } from './recorded.ts'
import { Segment } from './segment.ts'
import { Settler } from './settled.ts'

/** The oldest segment is looked through when there has to be room, so it should be a small part of all. */
const SEGMENT_SHARE = 1 / 16

/**
 * Frames that were recorded and not yet folded into rows. While nobody looks they wait here; when there are too many
 * the oldest go, and only what is more than a request with its answer is folded first.
 */
export class Backlog {
  readonly #segmentCost: number
  readonly #segments: Segment[] = []
  /** One that is empty, to be used again. */
  #spare: Segment | undefined
  #settler: Settler | undefined
  #fullCost = 0
  /** The number of the first frame of the next segment. */
  #next = 1
  #taken = 0

  /** `frameBytes`: how many bytes its frames may take before room has to be made. */
  constructor(frameBytes: number) {
    this.#segmentCost = frameBytes * SEGMENT_SHARE
  }

  /** Bytes of memory that the frames take once they are folded, roughly. */
  get cost(): number {
    return this.#fullCost + (this.#segments.at(-1)?.cost ?? 0)
  }

  /** The number of the frame that is added next. Frames count from 1 as they are added, unseen ones too. */
  get end(): number {
    return this.#segments.at(-1)?.end ?? this.#next
  }

  /** The number of the frame that was taken out last. */
  get taken(): number {
    return this.#taken
  }

  get isEmpty(): boolean {
    return this.#segments.every(({ size }) => size === 0)
  }

  /** Adds a frame as it is. */
  add(recorded: Recorded): void {
    this.#open().add(recorded)
  }

  /** Adds a frame whose bytes nobody looks for by identity. */
  addCopy(connection: Connection, at: number, frame: Frame): void {
    this.#open().addCopy(connection, at, frame)
  }

  /** The same for lines. */
  addLines(connection: Connection, at: number, lines: MessageLines): void {
    for (let from = 0; from < lines.ends.length;) {
      const taken = this.#open().addLines(connection, at, lines, from)
      from += taken
      if (taken > 0) continue
      this.addCopy(connection, at, frameOf(lines, from))
      from += 1
    }
  }

  /** Takes out the oldest. */
  take(): Recorded | undefined {
    for (let oldest = this.#segments[0]; oldest !== undefined; oldest = this.#segments[0]) {
      const recorded = this.#takeFrom(oldest)
      if (recorded !== undefined) return recorded
      this.#retire(oldest)
    }
    return undefined
  }

  /**
   * Makes some room. Of the oldest frames, those that are over and told by nothing that is open go; everything else is
   * given to `fold`, in order. Gives how many frames went.
   */
  makeRoom(fold: (recorded: Recorded) => void): number {
    const [oldest, next] = this.#segments
    if (oldest === undefined) return 0
    const dropped = (this.#settler ??= new Settler()).drop(oldest, next)
    for (let left = this.#takeFrom(oldest); left !== undefined; left = this.#takeFrom(oldest)) fold(left)
    this.#retire(oldest)
    return dropped
  }

  #takeFrom(segment: Segment): Recorded | undefined {
    const isLast = this.#segments.at(-1) === segment
    const before = segment.cost
    const recorded = segment.take()
    if (!isLast) this.#fullCost -= before - segment.cost
    if (recorded !== undefined) this.#taken = segment.taken
    return recorded
  }

  /** The oldest goes, with what is left of it. */
  #retire(oldest: Segment): void {
    if (this.#segments.length > 1) this.#fullCost -= oldest.cost
    else this.#next = oldest.end
    this.#segments.shift()
    oldest.reset()
    this.#spare = oldest
  }

  #open(): Segment {
    const last = this.#segments.at(-1)
    if (last !== undefined && !last.isFull && last.cost < this.#segmentCost) return last
    if (last !== undefined) {
      this.#fullCost += last.cost
      this.#next = last.end
    }
    const segment = this.#spare ?? new Segment()
    this.#spare = undefined
    segment.begin(this.#next)
    this.#segments.push(segment)
    return segment
  }
}
