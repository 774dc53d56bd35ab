import { ErrorCode, ProtocolError } from '../protocol/errors.ts'
import type { Limits } from '../protocol/limits.ts'
import type { JsonRpcRequest } from '../protocol/messages.ts'
import { revisionRow } from '../protocol/revisions.ts'
import { EventStore, type SessionStream } from './event-store.ts'
import type { FaultGate, FaultInjector, FaultConnection } from '../ports/fault-port.ts'
import type { ListenerExchange } from './listener-exchange.ts'
import { LazyReply } from './lazy-reply.ts'
import { EventWriter, type StreamMonitor } from './stream-monitor.ts'
import type { Tap } from '../ports/tap.ts'
import type { ReplySink, ServerPort, ServerSession } from '../ports/server-port.ts'

export type HttpSessionOptions = {
  readonly id: string
  readonly caller: string
  /** Names the caller at the server, which may have other listeners. */
  readonly owner: string
  readonly server: ServerPort
  readonly monitor: StreamMonitor
  readonly limits: Limits
  readonly faults: FaultGate
  /** Sees the exchanges of this session alone; undefined if the listener's tap sees them. */
  readonly tap?: Tap | undefined
}

/** One legacy session over HTTP (2025-11-25, Streamable HTTP: sessions): its streams and its server's side. */
export class HttpSession {
  readonly id: string
  readonly caller: string
  readonly session: ServerSession
  readonly tap: Tap | undefined
  readonly #monitor: StreamMonitor
  readonly #events: EventStore
  /** What belongs to no request waits here for the client's GET. */
  readonly #unasked: SessionStream
  readonly #faults: FaultGate
  #line: FaultConnection | undefined
  #lastUsed = performance.now()

  constructor(options: HttpSessionOptions) {
    const { id, caller, owner, server, monitor, limits, faults } = options
    this.id = id
    this.caller = caller
    this.tap = options.tap
    this.#monitor = monitor
    this.#faults = faults
    this.#events = new EventStore(limits.resumeBytes)
    this.#unasked = this.#events.open()
    this.session = server.openSession({
      caller: owner,
      sessionId: id,
      send: (bytes) => {
        const { injector } = this.#faults
        if (injector === undefined) this.#unasked.send(bytes)
        else this.#faulty(injector).send(bytes)
      },
    })
  }

  /** Milliseconds since anything happened; a session whose stream is open or that works is not idle. */
  idleFor(now: number): number {
    return this.#unasked.connected || this.session.inFlight > 0 ? 0 : now - this.#lastUsed
  }

  touch(): void {
    this.#lastUsed = performance.now()
  }

  /** Returns why the version header of a request does not fit; its absence is tolerated (specification: SHOULD). */
  versionFault(header: string | undefined): ProtocolError | undefined {
    const { revision } = this.session
    if (header === undefined || revision === undefined || header === revision) return undefined
    const reason = `this session speaks ${revision}, but MCP-Protocol-Version is "${header}"`
    return new ProtocolError(ErrorCode.invalidRequest, `Invalid request: ${reason}`)
  }

  request(message: JsonRpcRequest, exchange: ListenerExchange): LazyReply {
    const reply = this.#reply(exchange)
    this.session.request(message, exchange.requestContext(), this.#sink(reply, message))
    return reply
  }

  /** Serves an array; reports whether it will be answered. Throws a `ProtocolError` for one that is not served. */
  batch(items: readonly unknown[], exchange: ListenerExchange): boolean {
    return this.session.batch(items, exchange.requestContext(), () =>
      this.#sink(this.#reply(exchange), items),
    )
  }

  /** Serves a GET: the stream of what is unasked, or the rest of the stream that `Last-Event-ID` names. */
  listen(exchange: ListenerExchange): void {
    const lastEventId = exchange.header('last-event-id')
    if (lastEventId !== undefined) {
      const found = this.#events.find(lastEventId)
      if (found === undefined) {
        exchange.sendPlain(400, `Last-Event-ID "${lastEventId}" is unknown or no longer kept`)
        return
      }
      this.#connect(found.stream, exchange, (writer) => {
        writer.announce()
        found.stream.attach(writer, found.after)
      })
    } else if (this.#unasked.connected) {
      exchange.sendPlain(409, 'This session has an open GET stream already')
    } else {
      this.#connect(this.#unasked, exchange, (writer) => {
        this.#prime(writer, this.#unasked)
        this.#unasked.attach(writer)
      })
    }
  }

  endStream(): void {
    this.#unasked.end()
  }

  close(): void {
    this.session.close()
    this.#line?.end()
    this.endStream()
  }

  #reply(exchange: ListenerExchange): LazyReply {
    return new LazyReply({
      exchange,
      monitor: this.#monitor,
      stream: () => this.#openReplyStream(exchange),
      resumable: true,
      fields: () => this.#fields(),
    })
  }

  #sink(reply: LazyReply, message: unknown): ReplySink {
    const { injector } = this.#faults
    return injector === undefined ? reply : reply.faulty(injector, message)
  }

  /** Faults of what belongs to no request. */
  #faulty(injector: FaultInjector): FaultConnection {
    const unasked = this.#unasked
    return (this.#line ??= injector.line('http', {
      pass: (bytes) => {
        unasked.send(bytes)
      },
      cut: (bytes) => {
        unasked.cut(bytes)
      },
      close: () => {
        unasked.break()
      },
      mark: (note) => {
        unasked.mark(note)
      },
    }))
  }

  #openReplyStream(exchange: ListenerExchange): SessionStream {
    const stream = this.#events.open()
    // A client that has gone already gets its stream by `Last-Event-ID`, if it knows of it.
    if (exchange.response.destroyed) return stream
    this.#connect(stream, exchange, (writer) => {
      this.#prime(writer, stream)
      stream.attach(writer)
    })
    return stream
  }

  #connect(stream: SessionStream, exchange: ListenerExchange, begin: (writer: EventWriter) => void): void {
    const writer = new EventWriter(exchange, this.#monitor, {
      closed: () => {
        stream.detach(writer)
        this.touch()
      },
      fields: this.#fields(),
    })
    begin(writer)
  }

  /** Older parsers choke on an event without data, so only revisions that know it get one. */
  #prime(writer: EventWriter, stream: SessionStream): void {
    const primes = revisionRow(this.session.revision ?? '')?.primingEvents === true
    if (primes) writer.prime(stream.eventId(stream.sent))
    else writer.announce()
  }

  #fields(): Readonly<Record<string, string>> {
    return this.session.revision === undefined ? {} : { 'mcp-session-id': this.id }
  }
}
