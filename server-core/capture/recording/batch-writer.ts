import type { Batch, WriteQueue } from './write-queue.ts'

/** Batches begin at most once in this time, unless much waits. */
const FLUSH_MS = 16
/** So much is written at once, whenever it comes together. */
const FULL_BYTES = 1024 * 1024
/** What could not be written is tried again after this time. */
const RETRY_MS = 1_000
/** Systems take so many pieces in one write. */
const PIECES = 512

/** Where batches go. Both ways may write fewer bytes than there are, and give how many. */
export interface RecordingSink {
  write(pieces: readonly Uint8Array[], position: number): Promise<number>
  /** The same before it returns. */
  writeNow(pieces: readonly Uint8Array[], position: number): number
  /** Makes sure that all is on the disk, and lets go of it. */
  close(): Promise<void>
}

/** Writes what waits in a queue, in the background. What fails stays and is tried again. */
export class BatchWriter {
  readonly #queue: WriteQueue
  readonly #sink: RecordingSink
  readonly #onTrouble: (error: unknown) => void
  /** Where the next byte goes: bytes are written to their places, so that a write that is repeated does no harm. */
  #position: number
  #batch: Batch | undefined
  #running: Promise<void> | undefined
  #timer: NodeJS.Timeout | NodeJS.Immediate | undefined
  #flushedAt = -Infinity
  /** How often what was being written was written in its stead by `flushNow`. */
  #overtaken = 0
  #trouble: { readonly error: unknown } | undefined

  /** `onTrouble` is called with the first of errors that follow each other. */
  constructor(queue: WriteQueue, sink: RecordingSink, position: number, onTrouble: (error: unknown) => void) {
    this.#queue = queue
    this.#sink = sink
    this.#position = position
    this.#onTrouble = onTrouble
  }

  /** Bytes that are not written yet. */
  get waitingBytes(): number {
    return this.#queue.bytes + (this.#batch?.bytes ?? 0)
  }

  /** Something was added to the queue. */
  wake(): void {
    if (this.#timer !== undefined) {
      if (this.#queue.bytes < FULL_BYTES || this.#running !== undefined || this.#trouble !== undefined) return
      void this.#start()
    } else if (this.#running === undefined) this.#schedule()
  }

  /** Resolves when everything is written that waits now. Rejects with the system's error. */
  async flushed(): Promise<void> {
    while (this.waitingBytes > 0) {
      await (this.#running ?? this.#start())
      if (this.#trouble !== undefined) throw this.#trouble.error
    }
  }

  /** Writes everything before it returns, for a process that ends. Throws the system's error. */
  flushNow(): void {
    this.#overtaken += 1
    for (let batch = this.#batch ?? this.#queue.take(); batch !== undefined; batch = this.#queue.take()) {
      this.#batch = batch
      while (batch.bytes > 0)
        this.#wrote(batch, this.#sink.writeNow(batch.pieces.slice(0, PIECES), this.#position))
    }
    this.#batch = undefined
  }

  /** No more is written by itself. */
  stop(): void {
    this.#cancelTimer()
  }

  #schedule(): void {
    const wait = this.#trouble === undefined ? this.#flushedAt + FLUSH_MS - performance.now() : RETRY_MS
    this.#timer =
      wait <= 0 ? setImmediate(() => void this.#start()) : setTimeout(() => void this.#start(), wait).unref()
  }

  #cancelTimer(): void {
    clearTimeout(this.#timer as NodeJS.Timeout | undefined)
    clearImmediate(this.#timer as NodeJS.Immediate | undefined)
    this.#timer = undefined
  }

  #start(): Promise<void> {
    this.#cancelTimer()
    this.#flushedAt = performance.now()
    this.#running = this.#writeOut().finally(() => {
      this.#running = undefined
      if (this.waitingBytes > 0) this.#schedule()
    })
    return this.#running
  }

  async #writeOut(): Promise<void> {
    try {
      do {
        const batch = (this.#batch ??= this.#queue.take())
        if (batch === undefined) return
        await this.#write(batch)
        this.#trouble = undefined
        // What `flushNow` took over may still be read by the write that it overtook; of what it could not write, some is left.
        if (this.#batch !== batch || batch.bytes > 0) return
        this.#queue.release(batch)
        this.#batch = undefined
      } while (this.#queue.bytes >= FULL_BYTES)
    } catch (error) {
      if (this.#trouble === undefined) this.#onTrouble(error)
      this.#trouble = { error }
    }
  }

  async #write(batch: Batch): Promise<void> {
    const overtaken = this.#overtaken
    while (batch.bytes > 0) {
      const bytes = await this.#sink.write(batch.pieces.slice(0, PIECES), this.#position)
      if (this.#overtaken !== overtaken) return
      this.#wrote(batch, bytes)
    }
  }

  #wrote(batch: Batch, bytes: number): void {
    if (bytes <= 0) throw new Error('the system wrote nothing')
    this.#position += bytes
    batch.bytes -= bytes
    let left = bytes
    let whole = 0
    for (let piece = batch.pieces[0]; piece !== undefined && left >= piece.byteLength;) {
      left -= piece.byteLength
      whole += 1
      piece = batch.pieces[whole]
    }
    batch.pieces.splice(0, whole)
    const [first] = batch.pieces
    if (left > 0 && first !== undefined) batch.pieces[0] = first.subarray(left)
  }
}
