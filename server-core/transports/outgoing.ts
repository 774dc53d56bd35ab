import type { Limits } from '../protocol/limits.ts'

/** Bytes handed to the system at once: a reader that takes so many in the time allowed is slow, not stalled. */
export const SLICE_BYTES = 256 * 1024

/** Where bytes go: a socket or a response. `write` reports whether it takes more at once; if not, it drains later. */
export type OutgoingTarget = { write(bytes: Uint8Array): boolean }

/**
 * What is on its way to a reader that may be slow. Pieces are written as they come as long as the reader keeps up,
 * else they wait here, and those that waited go out together. A reader that takes nothing for `outgoingStallMs`, or
 * lets more than `outgoingBufferBytes` wait, is reported once: it should be cut off.
 */
export class Outgoing {
  readonly #target: OutgoingTarget
  readonly #limits: Pick<Limits, 'outgoingBufferBytes' | 'outgoingStallMs'>
  readonly #overrun: (reason: string) => void
  #waiting: Uint8Array[] = []
  /** How many of `#waiting` are written. */
  #written = 0
  #waitingBytes = 0
  #stalledSince: number | undefined
  #emptied: (() => void) | undefined
  #stopped = false

  constructor(
    target: OutgoingTarget,
    limits: Pick<Limits, 'outgoingBufferBytes' | 'outgoingStallMs'>,
    overrun: (reason: string) => void,
  ) {
    this.#target = target
    this.#limits = limits
    this.#overrun = overrun
  }

  /** Bytes that the target has not been given. */
  get waitingBytes(): number {
    return this.#waitingBytes
  }

  get stalled(): boolean {
    return this.#stalledSince !== undefined
  }

  /** Queues a piece that is written whole; it should be no longer than `SLICE_BYTES`. Order is kept. */
  write(piece: Uint8Array): void {
    if (this.#stalledSince === undefined && this.#waitingBytes === 0 && !this.#stopped) this.#hand(piece)
    else this.writeTogether([piece])
  }

  /** Queues several such pieces: as many as fit in a slice are written as one. */
  writeTogether(pieces: readonly Uint8Array[]): void {
    if (this.#stopped) return
    if (this.#waitingBytes > this.#limits.outgoingBufferBytes) {
      this.#report(
        `more than ${this.#limits.outgoingBufferBytes} bytes wait for it (limit outgoingBufferBytes)`,
      )
      return
    }
    for (const piece of pieces) {
      this.#waiting.push(piece)
      this.#waitingBytes += piece.length
    }
    this.#pump()
  }

  /** Queues bytes that may be cut anywhere. */
  writeCut(bytes: Uint8Array): void {
    if (bytes.length <= SLICE_BYTES) this.write(bytes)
    else {
      const pieces: Uint8Array[] = []
      for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
        pieces.push(bytes.subarray(start, start + SLICE_BYTES))
      }
      this.writeTogether(pieces)
    }
  }

  /** To be called when the target drained. */
  drained(): void {
    this.#stalledSince = undefined
    this.#pump()
  }

  /** Calls back as soon as the target was given everything. */
  whenEmpty(callback: () => void): void {
    if (this.#waitingBytes === 0) callback()
    else this.#emptied = callback
  }

  /** To be called now and then, with the time of `performance.now()`. */
  tick(now: number): void {
    if (this.#stalledSince === undefined || now - this.#stalledSince <= this.#limits.outgoingStallMs) return
    this.#report(`it took nothing for ${this.#limits.outgoingStallMs} ms (limit outgoingStallMs)`)
  }

  /** Forgets what waits. */
  stop(): void {
    this.#stopped = true
    this.#waiting = []
    this.#written = 0
    this.#waitingBytes = 0
    this.#stalledSince = undefined
  }

  #hand(bytes: Uint8Array): void {
    if (!this.#target.write(bytes)) this.#stalledSince = performance.now()
  }

  #pump(): void {
    while (this.#stalledSince === undefined && this.#waitingBytes > 0) this.#hand(this.#next())
    if (this.#waitingBytes > 0 || this.#stopped) return
    const emptied = this.#emptied
    this.#emptied = undefined
    emptied?.()
  }

  /** The pieces that go out together. */
  #next(): Uint8Array {
    const start = this.#written
    let length = 0
    while (this.#written < this.#waiting.length) {
      const piece = this.#waiting[this.#written]
      if (piece === undefined || (length > 0 && length + piece.length > SLICE_BYTES)) break
      length += piece.length
      this.#written += 1
    }
    const pieces = this.#waiting.slice(start, this.#written)
    this.#waitingBytes -= length
    if (this.#waitingBytes === 0) {
      this.#waiting = []
      this.#written = 0
    } else if (this.#written > 1_024 && this.#written * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#written)
      this.#written = 0
    }
    const [only] = pieces
    return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces, length)
  }

  #report(reason: string): void {
    this.stop()
    this.#overrun(reason)
  }
}
