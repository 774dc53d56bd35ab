import { shuttingDown, type ProtocolError } from '../protocol/errors.ts'
import { overLimit } from '../protocol/limit-error.ts'

/** One kind of session, as far as counting goes. */
export interface CountedSessions {
  readonly size: number
  /** Ends those that nobody used for too long. */
  endIdle(): void
}

/** Bounds the sessions of one listener, whatever their kind. */
export class SessionLimit {
  readonly #max: number
  readonly #kinds: CountedSessions[] = []
  #isClosed = false

  constructor(max: number) {
    this.#max = max
  }

  /** Counts these too. */
  include(kind: CountedSessions): void {
    this.#kinds.push(kind)
  }

  get size(): number {
    let size = 0
    for (const kind of this.#kinds) size += kind.size
    return size
  }

  /** There is no room any more. */
  close(): void {
    this.#isClosed = true
  }

  /** Returns whether there is room for one more; idle sessions make room. */
  hasRoom(): boolean {
    if (this.#isClosed) return false
    if (this.size < this.#max) return true
    for (const kind of this.#kinds) kind.endIdle()
    return this.size < this.#max
  }

  /** The error for a client whose session does not fit. */
  get refusal(): ProtocolError {
    if (this.#isClosed) return shuttingDown()
    return overLimit('sessions', this.#max, `there are ${this.#max} sessions already; try again later`)
  }
}
