import type { FaultyTarget } from '../ports/fault-port.ts'
import { bytesOf, type EncodedMessage } from '../ports/encoded-message.ts'
import type { ReplySink } from '../ports/server-port.ts'
import type { FaultTransport } from './fault-settings.ts'
import { DelayQueue, type Holder } from './delay-queue.ts'
import { plain, type FaultPlan } from './fault-plan.ts'
import type { Outgoing } from './rule-draw.ts'

export type ReplyOptions = {
  readonly transport: FaultTransport
  readonly tool: string | undefined
  readonly target: FaultyTarget
  readonly holders: Set<Holder>
  readonly plan: (outgoing: Outgoing) => FaultPlan | undefined
}

/** `status` is that of the answer, which is the last message; what comes before has none. */
type Item = FaultPlan & { readonly status: number | undefined }

/** Faults on the reply to one HTTP request: one JSON body, or a stream of events of which the answer is the last. */
export class FaultyReply implements ReplySink {
  readonly #options: ReplyOptions
  readonly #queue: DelayQueue<Item>
  #index = 0
  #isOver = false

  constructor(options: ReplyOptions) {
    this.#options = options
    this.#queue = new DelayQueue((item) => {
      this.#out(item)
    }, options.holders)
  }

  get streaming(): boolean {
    return this.#options.target.sink.streaming === true
  }

  emit(bytes: Uint8Array): void {
    this.#push(bytes, undefined)
  }

  answer(message: EncodedMessage, status: number): void {
    this.#push(bytesOf(message), status)
  }

  abandon(): void {
    this.#isOver = true
    this.#queue.stop()
    this.#options.target.sink.abandon()
  }

  release(retryMs: number | undefined): void {
    this.#options.target.sink.release?.(retryMs)
  }

  #push(bytes: Uint8Array, status: number | undefined): void {
    const { transport, tool, plan, target } = this.#options
    const index = this.#index
    this.#index += 1
    const keepsPlace = status !== undefined || this.#queue.hasAside
    const planned = plan({ transport, tool, bytes, index, keepsPlace }) ?? plain(bytes)
    for (const note of planned.notes) target.mark(note)
    // Whatever else holds, the messages of one reply keep their order in time.
    this.#queue.push({ ...planned, status }, { ...planned.holding, alone: false })
  }

  #out({ bytes, copies, end, status }: Item): void {
    if (this.#isOver) return
    const { target } = this.#options
    if (end === 'cut') {
      this.#isOver = status !== undefined
      target.cut(bytes, status)
      return
    }
    // What is kept for a client that comes back is kept all the same.
    if (end === 'close') target.close()
    if (status === undefined) for (let copy = 0; copy < copies; copy += 1) target.sink.emit(bytes)
    else this.#answer(bytes, status, copies)
  }

  #answer(bytes: Uint8Array, status: number, copies: number): void {
    const { sink } = this.#options.target
    for (let copy = 1; copy < copies; copy += 1) sink.emit(bytes)
    if (copies > 0 && !this.#queue.hasAside) sink.answer(bytes, status)
    else {
      // What it overtakes comes behind it, and then the stream ends.
      if (copies > 0) sink.emit(bytes)
      this.#queue.releaseAside()
      sink.abandon()
    }
    this.#isOver = true
  }
}
