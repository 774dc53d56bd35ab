import { FRAME_KINDS, type RecordedKind } from '../../capture/recording/recording-format.ts'

const FIRST_CAPACITY = 1_024
const KIND_BITS = 0b111
const FROM_CLIENT = 1 << 3
const IS_ERROR = 1 << 4
const IS_REQUEST = 1 << 5
const IS_ANSWER = 1 << 6
export const NO_PAIR = -1

export type FrameFacts = {
  readonly offset: number
  readonly length: number
  /** Microseconds since the start of the recording. */
  readonly at: number
  readonly connection: number
  readonly method: number
  readonly kind: RecordedKind
  readonly isFromClient: boolean
  readonly isError: boolean
  readonly isRequest: boolean
  readonly isAnswer: boolean
}

/** The columns of an index in the order in which they are in its file. */
export type Columns = {
  at: Float64Array<ArrayBuffer>
  offset: Uint32Array<ArrayBuffer>
  length: Uint32Array<ArrayBuffer>
  /** Of a request the frame that answers it, of an answer its request; -1 if it is not in the same part. */
  pair: Int32Array<ArrayBuffer>
  method: Uint16Array<ArrayBuffer>
  connection: Uint16Array<ArrayBuffer>
  flags: Uint8Array<ArrayBuffer>
}

export const BYTES_PER_FRAME = 25

/** What an index has of each frame: numbers in columns, 25 bytes a frame. */
export class FrameTable {
  #columns: Columns
  #count: number

  constructor(columns: Columns = columnsFor(FIRST_CAPACITY), count = 0) {
    this.#columns = columns
    this.#count = count
  }

  get count(): number {
    return this.#count
  }

  add(facts: FrameFacts): number {
    if (this.#count === this.#columns.at.length) this.#grow()
    const frame = this.#count
    const { at, offset, length, pair, method, connection, flags } = this.#columns
    at[frame] = facts.at
    offset[frame] = facts.offset
    length[frame] = facts.length
    pair[frame] = NO_PAIR
    method[frame] = facts.method
    connection[frame] = facts.connection
    flags[frame] =
      FRAME_KINDS.indexOf(facts.kind) |
      (facts.isFromClient ? FROM_CLIENT : 0) |
      (facts.isError ? IS_ERROR : 0) |
      (facts.isRequest ? IS_REQUEST : 0) |
      (facts.isAnswer ? IS_ANSWER : 0)
    this.#count += 1
    return frame
  }

  /** The answer shows how the request ended, too. */
  join(request: number, answer: number): void {
    const { pair, method, flags } = this.#columns
    pair[request] = answer
    pair[answer] = request
    method[answer] = method[request] ?? 0
    if (this.isError(answer)) flags[request] = (flags[request] ?? 0) | IS_ERROR
  }

  offset(frame: number): number {
    return this.#columns.offset[frame] ?? 0
  }

  length(frame: number): number {
    return this.#columns.length[frame] ?? 0
  }

  at(frame: number): number {
    return this.#columns.at[frame] ?? 0
  }

  pair(frame: number): number {
    return this.#columns.pair[frame] ?? NO_PAIR
  }

  method(frame: number): number {
    return this.#columns.method[frame] ?? 0
  }

  connection(frame: number): number {
    return this.#columns.connection[frame] ?? 0
  }

  kind(frame: number): RecordedKind {
    return FRAME_KINDS[this.#flags(frame) & KIND_BITS] ?? 'invalid'
  }

  isFromClient(frame: number): boolean {
    return (this.#flags(frame) & FROM_CLIENT) !== 0
  }

  isError(frame: number): boolean {
    return (this.#flags(frame) & IS_ERROR) !== 0
  }

  isRequest(frame: number): boolean {
    return (this.#flags(frame) & IS_REQUEST) !== 0
  }

  isAnswer(frame: number): boolean {
    return (this.#flags(frame) & IS_ANSWER) !== 0
  }

  /** The first frame at or behind that time. Times grow with frames. */
  firstAt(micros: number): number {
    let low = 0
    let high = this.#count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.at(middle) < micros) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Its columns without room for more. */
  columns(): Columns {
    return resized(this.#columns, this.#count)
  }

  #flags(frame: number): number {
    return this.#columns.flags[frame] ?? 0
  }

  #grow(): void {
    this.#columns = resized(this.#columns, this.#columns.at.length * 2)
  }
}

export function columnsFor(capacity: number): Columns {
  return {
    at: new Float64Array(capacity),
    offset: new Uint32Array(capacity),
    length: new Uint32Array(capacity),
    pair: new Int32Array(capacity),
    method: new Uint16Array(capacity),
    connection: new Uint16Array(capacity),
    flags: new Uint8Array(capacity),
  }
}

function resized(columns: Columns, capacity: number): Columns {
  const next = columnsFor(capacity)
  next.at.set(columns.at.subarray(0, capacity))
  next.offset.set(columns.offset.subarray(0, capacity))
  next.length.set(columns.length.subarray(0, capacity))
  next.pair.set(columns.pair.subarray(0, capacity))
  next.method.set(columns.method.subarray(0, capacity))
  next.connection.set(columns.connection.subarray(0, capacity))
  next.flags.set(columns.flags.subarray(0, capacity))
  return next
}
