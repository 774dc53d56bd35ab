import { seededRandom } from '../../faults/seeded-random.ts'
import type { DirectionConditions } from './conditions-schema.ts'

/** The sender is asked to wait when so much is on its way. */
const MOST_WAITING = 1024 * 1024
const SECOND_MS = 1_000

export type ShaperOptions = {
  /** Bytes arrive. */
  readonly out: (bytes: Uint8Array) => void
  /** The connection ends here; the reason is in words. */
  readonly close: (reason: string) => void
  /** Too much is on its way, or no longer. */
  readonly full: (isFull: boolean) => void
  readonly seed: number
  /** Names the direction, for the draws. */
  readonly name: string
}

type Piece = { readonly bytes: Uint8Array; readonly dueAt: number }

/** Delivers the bytes of one direction as a network with these conditions would: in order, none lost while it is open. */
export class Shaper {
  readonly #conditions: DirectionConditions
  readonly #options: ShaperOptions
  readonly #startedAt = performance.now()
  readonly #resetTimer: NodeJS.Timeout | undefined
  #queue: Piece[] = []
  #waitingBytes = 0
  #isFull = false
  #lastDue = 0
  #count = 0
  #passed = 0
  #timer: NodeJS.Timeout | undefined
  #isOver = false
  #ended: (() => void) | undefined

  constructor(conditions: DirectionConditions, options: ShaperOptions) {
    this.#conditions = conditions
    this.#options = options
    const { resetMs } = conditions
    if (resetMs !== undefined)
      this.#resetTimer = setTimeout(
        () => this.#close(`the connection was reset after ${resetMs} ms`),
        resetMs,
      ).unref()
  }

  push(bytes: Uint8Array): void {
    if (this.#isOver) return
    const { sliceBytes = Infinity } = this.#conditions
    for (let start = 0; start < bytes.byteLength; start += sliceBytes)
      this.#add(bytes.subarray(start, Math.min(start + sliceBytes, bytes.byteLength)))
    this.#pump()
  }

  /** Resolves when everything has arrived and the end may follow. */
  async end(): Promise<void> {
    if (this.#queue.length > 0 && !this.#isOver)
      await new Promise<void>((resolve) => {
        this.#ended = resolve
      })
    const { slowCloseMs = 0 } = this.#conditions
    if (slowCloseMs > 0 && !this.#isOver) await new Promise((resolve) => setTimeout(resolve, slowCloseMs))
    this.stop()
  }

  /** Delivers at once what is on its way, for when the conditions no longer hold. */
  flush(): void {
    const queue = this.#queue
    this.#queue = []
    for (const { bytes } of queue) this.#options.out(bytes)
    this.stop()
  }

  /** Forgets what is on its way. */
  stop(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    clearTimeout(this.#resetTimer)
    this.#queue = []
    this.#setFull(0)
    this.#ended?.()
  }

  #add(bytes: Uint8Array): void {
    const { latencyMs = 0, jitterMs = 0, bytesPerSecond = Infinity, sliceMs = 0 } = this.#conditions
    const jitter =
      jitterMs === 0
        ? 0
        : (2 * seededRandom(this.#options.seed, this.#options.name, this.#count) - 1) * jitterMs
    this.#count += 1
    const arrives = performance.now() + Math.max(0, latencyMs + jitter)
    const busy = (bytes.byteLength / bytesPerSecond) * SECOND_MS
    const isFollowing = this.#queue.length > 0
    this.#lastDue = Math.max(arrives, this.#lastDue + (isFollowing ? sliceMs : 0)) + busy
    this.#queue.push({ bytes, dueAt: this.#lastDue })
    this.#setFull(this.#waitingBytes + bytes.byteLength)
  }

  #pump(): void {
    clearTimeout(this.#timer)
    const { timeoutMs, limitBytes = Infinity } = this.#conditions
    for (;;) {
      const [first] = this.#queue
      if (first === undefined) break
      const now = performance.now()
      // Nothing passes any more, and nothing is closed: the other side waits until it gives up.
      if (timeoutMs !== undefined && now - this.#startedAt >= timeoutMs) return
      if (now < first.dueAt) {
        this.#timer = setTimeout(() => this.#pump(), Math.ceil(first.dueAt - now))
        return
      }
      this.#queue.shift()
      const left = limitBytes - this.#passed
      this.#passed += first.bytes.byteLength
      this.#options.out(left < first.bytes.byteLength ? first.bytes.subarray(0, left) : first.bytes)
      if (this.#passed >= limitBytes) {
        this.#close(`the connection was closed after ${limitBytes} bytes`)
        return
      }
      this.#setFull(this.#waitingBytes - first.bytes.byteLength)
    }
    this.#ended?.()
  }

  #close(reason: string): void {
    if (this.#isOver) return
    this.stop()
    this.#options.close(reason)
  }

  #setFull(waiting: number): void {
    this.#waitingBytes = waiting
    const isFull = waiting > MOST_WAITING
    if (isFull === this.#isFull) return
    this.#isFull = isFull
    this.#options.full(isFull)
  }
}

/** Whether conditions change anything. */
export function areConditions(
  conditions: DirectionConditions | undefined,
): conditions is DirectionConditions {
  return (
    conditions !== undefined && Object.values(conditions).some((value) => value !== undefined && value !== 0)
  )
}
