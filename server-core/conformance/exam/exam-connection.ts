import type { WireTransport } from '../../protocol/transport-kind.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { CapturedConnection, CapturedFrame } from '../frames/captured-frame.ts'
import type { FrameLog } from '../frames/frame-log.ts'
import { Stopped } from '../examination.ts'
import { sentFrame } from '../probe/stdio-connection.ts'
import { Inbox, isResponse, isSameId } from '../probe/inbox.ts'
import { outcomeOf, type Outcome } from '../probe/outcome.ts'
import { elapsed } from '../probe/waits.ts'

/**
 * Writes the bytes of a message to the client, on whatever the transport has for messages that answer nothing.
 * `pieces` are the same bytes, to be written apart.
 */
export type Deliver = (bytes: Uint8Array, pieces?: readonly Uint8Array[]) => void

/** One connection or session of the examined client, as the exam server sees it. */
export class ExamConnection {
  readonly transport: WireTransport
  readonly captured: CapturedConnection
  readonly inbox = new Inbox()
  /** The parameters of initialize, once they came. */
  initialize: JsonObject | undefined
  /** `notifications/initialized` has come. */
  isInitialized = false
  sessionId: string | undefined
  /** Whatever a check keeps about it. */
  readonly notes = new Map<string, unknown>()
  readonly #log: FrameLog
  readonly #answerMs: number
  readonly #end: () => void
  #deliver: Deliver | undefined
  readonly #undelivered: Uint8Array[] = []
  #lastId = 0
  readonly #closed = Promise.withResolvers<string>()
  #closedReason: string | undefined

  constructor(
    transport: WireTransport,
    parts: { log: FrameLog; captured: CapturedConnection; answerMs: number; end: () => void },
  ) {
    this.transport = transport
    this.captured = parts.captured
    this.#log = parts.log
    this.#answerMs = parts.answerMs
    this.#end = parts.end
  }

  get closed(): Promise<string> {
    return this.#closed.promise
  }

  get closedReason(): string | undefined {
    return this.#closedReason
  }

  /** What waits until the client opens a stream for it. */
  takeUndelivered(): readonly Uint8Array[] {
    return this.#undelivered.splice(0)
  }

  /** Called by the transport when it has, or has no more, a way to the client. */
  deliverBy(deliver: Deliver | undefined): void {
    this.#deliver = deliver
    if (deliver === undefined) return
    for (const bytes of this.takeUndelivered()) deliver(bytes)
  }

  /** Called by the transport when the client has gone. */
  ended(reason: string): void {
    this.#closedReason ??= reason
    this.#closed.resolve(reason)
  }

  /** Sends a JSON value, text or bytes as they are. Over HTTP it waits for a stream of the client. */
  send(message: unknown): CapturedFrame {
    const isRaw = typeof message === 'string' || message instanceof Uint8Array
    const bytes = isRaw ? Buffer.from(message) : Buffer.from(JSON.stringify(message))
    const frame = this.#log.record(this.captured, {
      ...sentFrame(bytes, isRaw ? undefined : message),
      from: 'server',
    })
    if (this.#deliver === undefined) this.#undelivered.push(bytes)
    else this.#deliver(bytes)
    return frame
  }

  /** Sends one message in pieces. */
  sendPieces(pieces: readonly Uint8Array[]): CapturedFrame {
    const bytes = Buffer.concat(pieces)
    const frame = this.#log.record(this.captured, { ...sentFrame(bytes, undefined), from: 'server' })
    this.#deliver?.(bytes, pieces)
    return frame
  }

  notify(method: string, params?: JsonObject): CapturedFrame {
    return this.send({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) })
  }

  /** Sends a request to the client (legacy revisions) and waits for what becomes of it. */
  async request(method: string, params?: JsonObject, id: unknown = this.nextId()): Promise<Outcome> {
    const from = this.inbox.messages.length
    const sent = this.send({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) })
    return this.outcome(sent, id, from)
  }

  /** Waits for the response to a request that was sent. */
  async outcome(sent: CapturedFrame, id: unknown, from = 0, timeoutMs = this.#answerMs): Promise<Outcome> {
    const over = Promise.race([elapsed(timeoutMs), this.closed])
    const found = await this.inbox.next(
      ({ message }) => isResponse(message) && isSameId(message['id'], id),
      over,
      from,
    )
    if (found !== undefined) return outcomeOf(found.message, found.frame, { sent })
    if (this.#undelivered.length > 0)
      throw new Stopped('inconclusive', 'the client opened no stream for messages of the server')
    if (this.#closedReason !== undefined) return { sent, type: 'closed', reason: this.#closedReason }
    return { sent, type: 'silence', waitedMs: timeoutMs }
  }

  nextId(): number {
    return (this.#lastId += 1)
  }

  /** Ends the connection from the server's side. */
  close(): void {
    this.#end()
  }
}
