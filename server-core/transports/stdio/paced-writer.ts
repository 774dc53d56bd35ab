import type { Writable } from 'node:stream'

/** Bytes handed to the stream at once: small messages are joined up to it, large ones are cut. */
const SLICE_BYTES = 1024 * 1024

type Waiting = {
  readonly bytes: Buffer
  offset: number
  /** Who waits until it is written. */
  readonly writer?: { readonly resolve: () => void; readonly reject: (error: Error) => void }
}

const HANDED_OVER = Promise.resolve()

/**
 * Writes to a reader that may be slow. Messages of one tick go out in one write; as long as little waits a write
 * resolves at once, else when its last byte was handed to the system. A reader that takes no bytes for `stallMs`, or lets more than `maxBytes` wait, is
 * reported once.
 */
export class PacedWriter {
  readonly #stream: Writable
  readonly #maxBytes: number
  readonly #stallMs: number
  readonly #onStalled: (waitingBytes: number) => void
  #queue: Waiting[] = []
  /** When the write that is under way was begun. */
  #startedAt: number | undefined
  /** One timer for many writes: most are over long before it fires. */
  #timer: NodeJS.Timeout | undefined
  #waitingBytes = 0
  #busy = false

  constructor(
    stream: Writable,
    options: { maxBytes: number; stallMs: number; onStalled: (waitingBytes: number) => void },
  ) {
    this.#stream = stream
    this.#maxBytes = options.maxBytes
    this.#stallMs = options.stallMs
    this.#onStalled = options.onStalled
  }

  /** So much waits that writes wait too. */
  get hasBacklog(): boolean {
    return this.#waitingBytes > SLICE_BYTES
  }

  /** Queues bytes; order is kept. Rejects, if they have to wait, with the stream's error or with what `stop` was given. */
  write(bytes: Buffer): Promise<void> {
    if (this.#waitingBytes > this.#maxBytes) this.#onStalled(this.#waitingBytes)
    this.#waitingBytes += bytes.length
    if (!this.#busy) {
      this.#busy = true
      process.nextTick(this.#next)
    }
    if (this.#waitingBytes <= SLICE_BYTES) {
      this.#queue.push({ bytes, offset: 0 })
      return HANDED_OVER
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ bytes, offset: 0, writer: { resolve, reject } })
    })
  }

  /** Fails everything that waits. */
  stop(error: Error): void {
    const waiting = this.#queue
    this.#queue = []
    this.#waitingBytes = 0
    for (const { writer } of waiting) writer?.reject(error)
  }

  readonly #next = (): void => {
    const parts: Buffer[] = []
    const done: Waiting[] = []
    let length = 0
    while (length < SLICE_BYTES) {
      const [first] = this.#queue
      if (first === undefined) break
      const room = SLICE_BYTES - length
      const isWhole = first.offset === 0 && first.bytes.length <= room
      const part = isWhole ? first.bytes : first.bytes.subarray(first.offset, first.offset + room)
      first.offset += part.length
      length += part.length
      parts.push(part)
      if (first.offset < first.bytes.length) break
      done.push(first)
      this.#queue.shift()
    }
    const [only] = parts
    if (only === undefined) {
      this.#busy = false
      return
    }
    this.#startedAt = performance.now()
    if (this.#timer === undefined) this.#timer = this.#watch(this.#stallMs)
    this.#stream.write(parts.length === 1 ? only : Buffer.concat(parts, length), (error) => {
      this.#startedAt = undefined
      if (error) {
        for (const { writer } of done) writer?.reject(error)
        this.stop(error)
      } else {
        this.#waitingBytes = Math.max(0, this.#waitingBytes - length)
        for (const { writer } of done) writer?.resolve()
      }
      this.#next()
    })
  }

  #watch(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#timer = undefined
      if (this.#startedAt === undefined) return
      const left = this.#startedAt + this.#stallMs - performance.now()
      if (left <= 0) this.#onStalled(this.#waitingBytes)
      else this.#timer = this.#watch(left)
    }, Math.ceil(milliseconds)).unref()
  }
}
