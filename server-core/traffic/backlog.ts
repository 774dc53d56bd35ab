import type { Frame } from '../transports/tap.ts'
import type { Connection } from './connection.ts'
import type { Recorded } from './recorded.ts'
import { Segment } from './segment.ts'

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
  #fullCost = 0

  /** `frameBytes`: how many bytes its frames may take before room has to be made. */
  constructor(frameBytes: number) {
    this.#segmentCost = frameBytes * SEGMENT_SHARE
  }

  /** Bytes of memory that the frames take once they are folded, roughly. */
  get cost(): number {
    return this.#fullCost + (this.#segments.at(-1)?.cost ?? 0)
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

  /** Takes out the oldest. */
  take(): Recorded | undefined {
    for (let oldest = this.#segments[0]; oldest !== undefined; oldest = this.#segments[0]) {
      const isLast = this.#segments.length === 1
      const before = oldest.cost
      const recorded = oldest.take()
      if (!isLast) this.#fullCost -= before - oldest.cost
      if (recorded !== undefined) return recorded
      if (!isLast) this.#fullCost -= oldest.cost
      this.#segments.shift()
      oldest.reset()
      this.#spare = oldest
    }
    return undefined
  }

  /**
   * Makes some room. Of the oldest frames, requests that were answered go with their answers; everything else is given
   * to `fold`, in order. Gives how many frames went.
   */
  makeRoom(fold: (recorded: Recorded) => void): number {
    const [oldest] = this.#segments
    if (oldest === undefined) return 0
    const dropped = oldest.dropAnswered()
    for (let left = oldest.size - dropped; left > 0; left -= 1) {
      const recorded = this.take()
      if (recorded !== undefined) fold(recorded)
    }
    if (oldest.size > 0 || this.#segments.length > 1) this.#retire(oldest)
    return dropped
  }

  /** What is left of it went. */
  #retire(oldest: Segment): void {
    if (this.#segments[0] !== oldest) return
    this.#segments.shift()
    if (this.#segments.length > 0) this.#fullCost -= oldest.cost
    oldest.reset()
    this.#spare = oldest
  }

  #open(): Segment {
    const last = this.#segments.at(-1)
    if (last !== undefined && !last.isFull && last.cost < this.#segmentCost) return last
    if (last !== undefined) this.#fullCost += last.cost
    const segment = this.#spare ?? new Segment()
    this.#spare = undefined
    this.#segments.push(segment)
    return segment
  }
}
