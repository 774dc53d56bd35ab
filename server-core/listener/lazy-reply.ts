import { bytesOf, type EncodedMessage } from '../ports/encoded-message.ts'
import type { FaultInjector } from '../ports/fault-port.ts'
import { sendBody } from './body-writer.ts'
import type { ListenerExchange } from './listener-exchange.ts'
import type { StreamMonitor, Ticking } from './stream-monitor.ts'
import type { ReplySink } from '../ports/server-port.ts'

/** Milliseconds after which a call that is still running is answered by a stream, which proxies keep open. */
const STREAM_AFTER_MS = 10_000

/** Where the events of one reply go. */
export interface EventSink {
  send(bytes: Uint8Array): void
  end(): void
  /** Ends the connection, not the stream; missing where the two are one. */
  release?(retryMs: number | undefined): void
  /** Begins to send, and breaks the connection. */
  cut?(bytes: Uint8Array): void
  /** Breaks the connection, not what is kept of the stream. */
  break?(): void
}

export type LazyReplyOptions = {
  readonly exchange: ListenerExchange
  readonly monitor: StreamMonitor
  /** Opens the stream, when there has to be one. */
  readonly stream: () => EventSink
  /** The stream outlives its connection: a client that was let go comes back for the rest. */
  readonly resumable?: boolean
  /** Headers of a reply that is not a stream. */
  readonly fields?: () => Readonly<Record<string, string>>
}

/**
 * The reply to one POST (specification: Streamable HTTP). It is one JSON body, unless something precedes the answer
 * or 10 seconds pass: then it becomes a stream of events.
 */
export class LazyReply implements ReplySink, Ticking {
  readonly #options: LazyReplyOptions
  readonly #since = performance.now()
  #events: EventSink | undefined
  #over = false

  constructor(options: LazyReplyOptions) {
    this.#options = options
    options.monitor.watchSoon(this)
  }

  get over(): boolean {
    return this.#over
  }

  get streaming(): boolean {
    return this.#events !== undefined
  }

  emit(bytes: Uint8Array): void {
    if (!this.#over) this.#open().send(bytes)
  }

  answer(message: EncodedMessage, status: number): void {
    if (this.#over) return
    this.#finish()
    const bytes = bytesOf(message)
    const { exchange, monitor, fields } = this.#options
    if (this.#events !== undefined) {
      this.#events.send(bytes)
      this.#events.end()
    } else if (!exchange.response.destroyed) sendBody(exchange, monitor, status, bytes, fields?.())
  }

  /** Sends the beginning of a message, whether or not it is the answer, and breaks the connection. */
  cut(bytes: Uint8Array, status: number | undefined): void {
    if (this.#over) return
    if (status === undefined) {
      this.#open().cut?.(bytes)
      return
    }
    this.#finish()
    const { exchange, fields } = this.#options
    if (this.#events !== undefined) {
      this.#events.cut?.(bytes)
      this.#events.end()
    } else if (!exchange.response.destroyed) exchange.cutMessage(status, bytes, fields?.())
  }

  /** Breaks the connection; what follows is kept where streams are kept. */
  break(): void {
    if (this.#events === undefined) this.#options.exchange.response.destroy()
    else this.#events.break?.()
  }

  /** The same reply, but for the faults that are to be made of `message`. */
  faulty(injector: FaultInjector, message: unknown): ReplySink {
    const { exchange } = this.#options
    return injector.reply('http', message, {
      sink: this,
      cut: (bytes, status) => {
        this.cut(bytes, status)
      },
      close: () => {
        this.break()
      },
      mark: (note) => {
        exchange.sawFault(note)
      },
    })
  }

  abandon(): void {
    if (this.#over) return
    this.#finish()
    if (this.#options.exchange.response.destroyed) this.#events?.end()
    // A stream that ends without an answer is how HTTP says that there is none.
    else this.#open().end()
  }

  release(retryMs: number | undefined): void {
    if (!this.#over && this.#options.resumable === true) this.#open().release?.(retryMs)
  }

  tick(now: number): void {
    if (this.#events === undefined && now - this.#since > STREAM_AFTER_MS) this.#open()
  }

  #open(): EventSink {
    return (this.#events ??= this.#options.stream())
  }

  #finish(): void {
    this.#over = true
    this.#options.monitor.forget(this)
  }
}
