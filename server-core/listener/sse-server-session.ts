import { ErrorCode, ProtocolError } from '../protocol/errors.ts'
import type { Limits } from '../protocol/limits.ts'
import type { JsonRpcRequest } from '../protocol/messages.ts'
import { bytesOf, type EncodedMessage } from '../ports/encoded-message.ts'
import type { FaultGate, FaultInjector, FaultConnection } from '../ports/fault-port.ts'
import { sendBody } from './body-writer.ts'
import type { ListenerExchange } from './listener-exchange.ts'
import { EventWriter, type StreamMonitor } from './stream-monitor.ts'
import type { ReplySink, ServerPort, ServerSession } from '../ports/server-port.ts'
import { encodeSseEvent } from '../transports/http/sse-codec.ts'
import type { Tap } from '../ports/tap.ts'

export type SseSessionOptions = {
  readonly id: string
  readonly caller: string
  /** Names the caller at the server, which may have other listeners. */
  readonly owner: string
  /** When the caller's admission ends, in milliseconds since 1970. */
  readonly expiresAt: number | undefined
  readonly server: ServerPort
  readonly monitor: StreamMonitor
  readonly limits: Limits
  readonly faults: FaultGate
  /** Sees this session alone. */
  readonly tap: Tap
  /** Called when its stream has ended, by either side. */
  readonly left: () => void
}

/** Milliseconds after which a session that was never initialized is idle, if it has no stream. */
const UNINITIALIZED_MS = 60_000

/**
 * One session of HTTP+SSE (2024-11-05, Transports). Its server answers on the stream of a GET; as long as there was
 * none, in the body of the POST, and what belongs to no request waits for the stream.
 */
export class SseSession {
  readonly id: string
  readonly caller: string
  readonly expiresAt: number
  readonly tap: Tap
  readonly session: ServerSession
  readonly #options: SseSessionOptions
  /** Where answers go once there is a stream. */
  readonly #streamed: ReplySink
  #line: FaultConnection | undefined
  #writer: EventWriter | undefined
  #waiting: Uint8Array[] = []
  #waitingBytes = 0
  #lastUsed = performance.now()
  #isFinishing = false

  constructor(options: SseSessionOptions) {
    const { id, caller, owner, expiresAt = Infinity, server, tap } = options
    this.id = id
    this.caller = caller
    this.expiresAt = expiresAt
    this.tap = tap
    this.#options = options
    const { faults } = options
    const send = (bytes: Uint8Array) => {
      const { injector } = faults
      if (injector === undefined) this.#send(bytes)
      else this.#faulty(injector).send(bytes)
    }
    const answer = (message: EncodedMessage) => {
      send(bytesOf(message))
    }
    this.#streamed = { emit: send, answer, abandon: () => undefined, streaming: true }
    this.session = server.openSession({
      caller: owner,
      sessionId: id,
      transport: 'sse',
      send,
      idle: () => {
        if (this.#isFinishing) this.#writer?.end()
      },
    })
  }

  /** Its stream is open. */
  get connected(): boolean {
    return this.#writer !== undefined
  }

  isIdle(now: number): boolean {
    if (this.connected || this.session.inFlight > 0) return false
    const { sessionIdleMs } = this.#options.limits
    const allowed =
      this.session.revision === undefined ? Math.min(sessionIdleMs, UNINITIALIZED_MS) : sessionIdleMs
    return now - this.#lastUsed > allowed
  }

  touch(): void {
    this.#lastUsed = performance.now()
  }

  /** Opens its stream on that GET; `endpoint` is where the client posts. */
  attach(exchange: ListenerExchange, endpoint: string): void {
    exchange.seenBy(this.tap)
    const writer = new EventWriter(exchange, this.#options.monitor, {
      closed: this.#options.left,
      fields: this.fields(),
      name: 'message',
    })
    this.#writer = writer
    writer.writeEvent(encodeSseEvent({ name: 'endpoint', data: endpoint }))
    const waiting = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0
    for (const bytes of waiting) this.#send(bytes)
  }

  /** Returns why the version header of a POST does not fit; its absence is tolerated. */
  versionFault(header: string | undefined): ProtocolError | undefined {
    const { revision } = this.session
    if (header === undefined || revision === undefined || header === revision) return undefined
    const reason = `this session speaks ${revision}, but MCP-Protocol-Version is "${header}"`
    return new ProtocolError(ErrorCode.invalidRequest, `Invalid request: ${reason}`)
  }

  request(message: JsonRpcRequest, exchange: ListenerExchange): void {
    const { injector } = this.#options.faults
    if (injector !== undefined) this.#faulty(injector).received(message)
    if (this.connected) {
      this.accept(exchange)
      this.session.request(message, exchange.requestContext(), this.#streamed)
    } else this.session.request(message, exchange.requestContext(), this.#posted(exchange))
  }

  /** Serves an array of messages, if the session's revision has them. */
  batch(items: readonly unknown[], exchange: ListenerExchange): void {
    try {
      const isStreamed = this.connected
      const requestContext = exchange.requestContext()
      const sink = () => (isStreamed ? this.#streamed : this.#posted(exchange))
      const isAnswered = this.session.batch(items, requestContext, sink)
      if (isStreamed || !isAnswered) this.accept(exchange)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      exchange.sendError(400, error)
    }
  }

  /** Answers a POST whose own answer, if there is any, goes elsewhere. */
  accept(exchange: ListenerExchange): void {
    exchange.sendPlain(202, 'Accepted', this.fields())
  }

  fields(): Readonly<Record<string, string>> {
    return { 'mcp-session-id': this.id }
  }

  /** Ends the stream as soon as nothing is in flight. */
  finish(): void {
    this.#isFinishing = true
    if (this.session.inFlight === 0) this.#writer?.end()
  }

  close(): void {
    this.session.close()
    this.#line?.end()
    this.#writer?.end()
  }

  #faulty(injector: FaultInjector): FaultConnection {
    return (this.#line ??= injector.line('sse', {
      pass: (bytes) => {
        this.#send(bytes)
      },
      cut: (bytes) => {
        this.#writer?.cut(bytes)
      },
      close: () => {
        this.#writer?.break()
      },
      mark: (note) => {
        this.#writer?.mark(note)
      },
    }))
  }

  /** Where the answer to a POST goes that came before there was a stream. */
  #posted(exchange: ListenerExchange): ReplySink {
    return {
      emit: (bytes) => {
        this.#send(bytes)
      },
      answer: (message, status) => {
        const bytes = bytesOf(message)
        // Who has gone may come back for the stream.
        if (exchange.response.destroyed) this.#send(bytes)
        else sendBody(exchange, this.#options.monitor, status, bytes, this.fields())
      },
      abandon: () => {
        if (!exchange.response.destroyed) this.accept(exchange)
      },
    }
  }

  #send(bytes: Uint8Array): void {
    if (this.#writer !== undefined) {
      this.#writer.send(bytes)
      return
    }
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    while (this.#waitingBytes > this.#options.limits.resumeBytes && this.#waiting.length > 1) {
      this.#waitingBytes -= this.#waiting.shift()?.length ?? 0
    }
  }
}
