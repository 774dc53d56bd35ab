import type { Limits } from '../protocol/limits.ts'
import type { HeadFields, ListenerExchange } from './listener-exchange.ts'
import { encodeSseComment, encodeSseEvent } from './sse-codec.ts'

/** Milliseconds between comments that keep a quiet stream open. */
const KEEP_ALIVE_MS = 15_000
const TICK_MS = 1_000
const KEEP_ALIVE = encodeSseComment('keep-alive')

/** An open event stream to one reader, cut off when the reader does not read. */
export class EventWriter {
  readonly #exchange: ListenerExchange
  readonly #head: HeadFields
  readonly #keeper: StreamKeeper
  #stalledSince: number | undefined
  #quietSince = performance.now()
  #open = true

  /** `closed` is called once when the stream is over, by either side. */
  constructor(exchange: ListenerExchange, keeper: StreamKeeper, closed: () => void, fields?: HeadFields) {
    this.#exchange = exchange
    this.#keeper = keeper
    this.#head = exchange.beginStream(fields)
    keeper.watch(this)
    const { response } = exchange
    response.on('drain', () => {
      this.#stalledSince = undefined
    })
    response.on('close', () => {
      this.#open = false
      keeper.forget(this)
      closed()
    })
  }

  get open(): boolean {
    return this.#open
  }

  /** Sends one message as one event. */
  send(bytes: Uint8Array, id?: string): void {
    this.#exchange.sawEvent(this.#head, bytes, id)
    this.#write(encodeSseEvent(id === undefined ? { data: bytes } : { data: bytes, id }))
  }

  /** Sends an event without a message: its id tells the client from where it may come back. */
  prime(id: string): void {
    this.#exchange.sawEvent(this.#head, undefined, id)
    this.#write(encodeSseEvent({ data: '', id }))
  }

  /** Tells the tap that the stream is open though nothing was sent on it. */
  announce(): void {
    this.#exchange.sawEvent(this.#head, undefined, undefined)
  }

  /** Tells the client after how many milliseconds to come back, and ends the connection. */
  release(retryMs: number | undefined): void {
    if (retryMs !== undefined) this.#write(encodeSseEvent({ retry: retryMs }))
    this.end()
  }

  end(): void {
    if (this.#open) this.#exchange.response.end()
  }

  /** Keeps the stream alive, or cuts it off if its reader has stalled for too long. */
  tick(now: number): void {
    if (this.#stalledSince !== undefined) {
      if (now - this.#stalledSince > this.#keeper.limits.outgoingStallMs) this.#exchange.response.destroy()
    } else if (now - this.#quietSince > KEEP_ALIVE_MS) this.#write(KEEP_ALIVE)
  }

  #write(bytes: Buffer): void {
    if (!this.#open) return
    const { response } = this.#exchange
    this.#quietSince = performance.now()
    if (response.write(bytes)) return
    this.#stalledSince ??= this.#quietSince
    if (response.writableLength > this.#keeper.limits.outgoingBufferBytes) response.destroy()
  }
}

/** Something that a clock looks at now and then. */
export interface Ticking {
  tick(now: number): void
}

/** One clock for everything that is open: thousands of streams need no timer each. */
export class StreamKeeper {
  readonly limits: Limits
  readonly #watched = new Set<Ticking>()
  #timer: NodeJS.Timeout | undefined

  constructor(limits: Limits) {
    this.limits = limits
  }

  watch(ticking: Ticking): void {
    this.#watched.add(ticking)
    this.#timer ??= setInterval(() => {
      this.#tick()
    }, TICK_MS).unref()
  }

  forget(ticking: Ticking): void {
    this.#watched.delete(ticking)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#watched.clear()
  }

  #tick(): void {
    if (this.#watched.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    const now = performance.now()
    for (const ticking of this.#watched) ticking.tick(now)
  }
}
