import type { Limits } from '../protocol/limits.ts'
import type { HeadFields, ListenerExchange } from './listener-exchange.ts'
import { MessageEvents } from './message-events.ts'
import { Outgoing } from '../transports/outgoing.ts'
import { encodeSseComment, encodeSseEvent } from '../transports/http/sse-codec.ts'

const TICK_MS = 1_000
const KEEP_ALIVE = encodeSseComment('keep-alive')

export type EventWriterOptions = {
  /** Called once when the stream is over, by either side. */
  readonly closed?: () => void
  /** Headers beside those of every stream. */
  readonly fields?: HeadFields
  /** The stream is open for as long as its client likes, as that of a GET always is. */
  readonly lasts?: boolean
  /** What the events of messages are called; nothing if not given. */
  readonly name?: string
}

/** An open event stream to one reader, cut off when the reader does not read. */
export class EventWriter {
  readonly #exchange: ListenerExchange
  readonly #head: HeadFields
  readonly #monitor: StreamMonitor
  readonly #outgoing: Outgoing
  /** What the events of messages are called, if anything. */
  readonly #name: string | undefined
  /** A GET's stream is open for as long as its client likes; that of a POST ends with the answer. */
  readonly #expiresAt: number
  #quietSince = performance.now()
  #open = true
  #ending = false

  constructor(exchange: ListenerExchange, monitor: StreamMonitor, options: EventWriterOptions = {}) {
    this.#exchange = exchange
    this.#monitor = monitor
    const { request, response, admitted } = exchange
    const { closed } = options
    this.#name = options.name
    const isOfGet = request.method === 'GET'
    this.#head = exchange.beginStream(isOfGet || options.lasts === true, options.fields)
    this.#expiresAt = isOfGet ? (admitted.expiresAt ?? Infinity) : Infinity
    this.#outgoing = new Outgoing(response, monitor.limits, (reason) => {
      monitor.countCut()
      exchange.cutOff(reason)
    })
    monitor.watch(this)
    response.on('drain', () => {
      this.#outgoing.drained()
    })
    response.on('close', () => {
      this.#open = false
      this.#outgoing.stop()
      monitor.forget(this)
      closed?.()
    })
  }

  get open(): boolean {
    return this.#open
  }

  /** Sends one message as one event. */
  send(bytes: Uint8Array, id?: string): void {
    this.#exchange.sawEvent(this.#head, bytes, id)
    this.#write(this.#monitor.events.of(bytes, id, this.#name))
  }

  /** Sends an event without a message: its id tells the client from where it may come back. */
  prime(id: string): void {
    this.#exchange.sawEvent(this.#head, undefined, id)
    this.#write(encodeSseEvent({ data: '', id }))
  }

  /** Sends an event that is not a message. */
  writeEvent(event: Buffer): void {
    this.#exchange.sawEvent(this.#head, undefined, undefined)
    this.#write(event)
  }

  /** Sends the beginning of a message's event and breaks the connection. */
  cut(bytes: Uint8Array, id?: string): void {
    this.#ending = true
    const event = this.#monitor.events.of(bytes, id, this.#name)
    this.#exchange.breakAfterReply(event.subarray(0, event.length / 2))
  }

  /** Breaks the connection. */
  break(): void {
    this.#ending = true
    this.#exchange.breakSoon()
  }

  /** Notes a fault that was made on purpose. */
  mark(note: string): void {
    this.#exchange.sawFault(note)
  }

  /** Reports to the tap that the stream is open though nothing was sent on it. */
  announce(): void {
    this.#exchange.sawEvent(this.#head, undefined, undefined)
  }

  /** Sends the client the milliseconds after which to reconnect, and ends the connection. */
  release(retryMs: number | undefined): void {
    if (retryMs !== undefined) this.writeEvent(encodeSseEvent({ retry: retryMs }))
    this.end()
  }

  /** Ends the stream behind what was sent on it. */
  end(): void {
    if (!this.#open || this.#ending) return
    this.#ending = true
    this.#outgoing.whenEmpty(() => {
      this.#exchange.response.end()
    })
  }

  /** Keeps the stream alive, or cuts it off if its reader has stalled for too long or may not read any more. */
  tick(now: number): void {
    if (Date.now() >= this.#expiresAt) this.end()
    this.#outgoing.tick(now)
    const isQuiet = now - this.#quietSince > this.#monitor.limits.keepAliveMs
    if (isQuiet && !this.#outgoing.stalled) this.#write(KEEP_ALIVE)
  }

  #write(bytes: Buffer): void {
    if (!this.#open || this.#ending) return
    this.#quietSince = performance.now()
    this.#outgoing.writeCut(bytes)
  }
}

/** Something that a clock looks at now and then. */
export interface Ticking {
  tick(now: number): void
}

/** One clock for everything that is open: thousands of streams need no timer each. */
export class StreamMonitor {
  readonly limits: Limits
  readonly events = new MessageEvents()
  readonly #watched = new Set<Ticking>()
  /** What began in this turn of the event loop. */
  #begun: (Ticking & { readonly over: boolean })[] = []
  #cutReaders = 0
  #timer: NodeJS.Timeout | undefined

  constructor(limits: Limits) {
    this.limits = limits
  }

  /** How many readers were cut off because they did not read. */
  get cutReaders(): number {
    return this.#cutReaders
  }

  countCut(): void {
    this.#cutReaders += 1
  }

  watch(ticking: Ticking): void {
    this.#watched.add(ticking)
    const { keepAliveMs, pingMs, outgoingStallMs } = this.limits
    this.#timer ??= setInterval(
      () => {
        this.#tick()
      },
      Math.min(TICK_MS, keepAliveMs / 2, pingMs / 2, outgoingStallMs / 2),
    ).unref()
  }

  /** Monitors streams that are still open at the end of this turn; most are not. */
  watchSoon(ticking: Ticking & { readonly over: boolean }): void {
    if (this.#begun.push(ticking) > 1) return
    setImmediate(() => {
      const begun = this.#begun
      this.#begun = []
      for (const each of begun) if (!each.over) this.watch(each)
    })
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
