import type { WireTransport } from '../../protocol/transport-kind.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'
import type { Revision } from '../../protocol/revisions.ts'
import { Stopped } from '../examination.ts'
import type { CapturedConnection, CapturedFrame } from '../frames/captured-frame.ts'
import type { FrameLog } from '../frames/frame-log.ts'
import type { HttpExchange } from './http-exchange.ts'
import { isResponse, isSameId, Inbox, type InMessage } from './inbox.ts'
import { describeOutcome, outcomeOf, type Outcome } from './outcome.ts'
import { elapsed, type Waits } from './waits.ts'

/** Who the probe says it is. */
export const PROBE_IDENTITY = { name: 'patchbay-check', version: '1.0.0' } as const

/** How one message is sent. */
export type SendOptions = {
  /** HTTP headers in place of our own; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>
  /** stdio: what ends the line, a line feed unless given. */
  readonly lineEnd?: string
  /** Cuts the bytes at these offsets and sends the pieces apart (pipe writes, chunks, WebSocket fragments). */
  readonly splitAt?: readonly number[]
  /** WebSocket: sends a binary message. */
  readonly binary?: boolean
}

export type ExchangeOptions = SendOptions & {
  /** Milliseconds to wait for the answer. */
  readonly timeoutMs?: number
  /**
   * `any` takes the next response whatever its id, for requests whose id the peer may not read. Otherwise the id of
   * the response must read the same; that its type is the same is a matter of one check.
   */
  readonly match?: 'id' | 'any'
  /**
   * stdio and WebSocket: sends a barrier behind it. When that is answered, and nothing else came shortly after, the
   * message has no answer, and the wait is over.
   */
  readonly barrier?: true
}

/** What a message is made of beside its method and parameters. */
export type ComposeOptions = {
  /** The next number if not given; any JSON value, right or wrong. */
  readonly id?: unknown
  /** Replaces members of the envelope of 2026-07-28; undefined removes one. */
  readonly envelope?: Readonly<Record<string, unknown>>
}

export type RequestOptions = ExchangeOptions & ComposeOptions

/** What a connection is opened with. */
export type ConnectOptions = {
  readonly capabilities?: JsonObject
  readonly clientInfo?: JsonObject
  /** Offered instead of the revision of the cell. */
  readonly revision?: string
  /** Another address than that of the cell. */
  readonly url?: string
  /** HTTP headers of every message, such as a token. */
  readonly headers?: Readonly<Record<string, string>>
  /** The session must not have been in use before, for checks of what its history changes. */
  readonly fresh?: true
  /** Legacy Streamable HTTP: opens the GET stream after the handshake; true if not given. */
  readonly stream?: boolean
  /** `none` sends nothing; `initialize` stops before notifications/initialized. */
  readonly handshake?: 'full' | 'initialize' | 'none'
}

export type ConnectionParts = {
  readonly log: FrameLog
  readonly revision: Revision
  readonly waits: () => Waits
  readonly options: ConnectOptions
  /** Throws when a message may not be sent: a call without permission. */
  readonly guard: (message: unknown) => void
  readonly onTimeout: () => void
}

/** A session that another check has left as it began. */
type EarlierSession = {
  readonly captured: CapturedConnection
  readonly initialized: JsonObject | undefined
  readonly lastId: number
}

export type Sent = { readonly frame: CapturedFrame; readonly exchange?: HttpExchange }

/** A raw connection to a server: it sends any bytes, and keeps every frame. */
export abstract class ProbeConnection {
  abstract readonly transport: WireTransport
  readonly revision: Revision
  readonly captured: CapturedConnection
  readonly inbox = new Inbox()
  readonly capabilities: JsonObject
  readonly options: ConnectOptions
  /** The result of initialize, once it is there. */
  initialized: JsonObject | undefined
  protected readonly parts: ConnectionParts
  #lastId = 0
  /** The ids of barriers behind messages, as text: their answers may come when the next message is under way. */
  readonly #barriers = new Set<string>()
  #closedReason: string | undefined
  readonly #closed = Promise.withResolvers<string>()

  /** @param before the session that it goes on with */
  constructor(transport: WireTransport, parts: ConnectionParts, before?: EarlierSession) {
    this.parts = parts
    this.revision = parts.revision
    this.options = parts.options
    this.capabilities = parts.options.capabilities ?? {}
    this.captured = before?.captured ?? parts.log.connection(transport, parts.revision)
    this.initialized = before?.initialized
    this.#lastId = before?.lastId ?? 0
  }

  /** Opens the stream or socket; throws a `Stopped` if it cannot be opened. */
  abstract open(): Promise<void>
  abstract close(): Promise<void>
  protected abstract write(bytes: Uint8Array, message: unknown, options: SendOptions): Promise<Sent>

  get isModern(): boolean {
    return this.revision >= '2026-07-28'
  }

  /** Every message of the server so far. */
  get received(): readonly InMessage[] {
    return this.inbox.messages
  }

  /** Why the connection ended; undefined while it is open. */
  get closedReason(): string | undefined {
    return this.#closedReason
  }

  /** Resolves with the reason when the connection has ended. */
  get closed(): Promise<string> {
    return this.#closed.promise
  }

  protected ended(reason: string): void {
    if (this.#closedReason !== undefined) return
    this.#closedReason = reason
    this.#closed.resolve(reason)
  }

  /** The last id that `nextId` returned. */
  get lastId(): number {
    return this.#lastId
  }

  nextId(): number {
    return (this.#lastId += 1)
  }

  /** A request of the revision, with its envelope; change it before it is sent as you like. */
  compose(method: string, params?: JsonObject, { id = this.nextId(), envelope }: ComposeOptions = {}) {
    return { jsonrpc: '2.0', id, method, ...this.#params(params, envelope) }
  }

  /** A notification of the revision. */
  composeNotification(method: string, params?: JsonObject) {
    return { jsonrpc: '2.0', method, ...(params !== undefined && { params }) }
  }

  /** Sends a JSON value, text or bytes as they are. Nothing is awaited but that they are written. */
  async send(message: unknown, options: SendOptions = {}): Promise<Sent> {
    const isRaw = typeof message === 'string' || message instanceof Uint8Array
    const bytes = isRaw ? Buffer.from(message) : Buffer.from(JSON.stringify(message))
    const value: unknown = isRaw ? undefined : message
    this.parts.guard(value ?? tryParse(bytes))
    return this.write(bytes, value, options)
  }

  /** Sends a request as it is and waits for its answer, the end of the exchange, or the deadline. */
  async exchange(message: unknown, options: ExchangeOptions = {}): Promise<Outcome> {
    const from = this.inbox.messages.length
    const sent = await this.send(message, options)
    const id = isJsonObject(message) ? message['id'] : undefined
    const match = options.match ?? (id === undefined ? 'any' : 'id')
    const isStream = this.transport === 'stdio' || this.transport === 'websocket'
    const barrier = options.barrier === true && isStream ? this.barrierRequest() : undefined
    if (barrier !== undefined) this.#barriers.add(String(barrier.id))
    const isBarrier = (answer: JsonObject) => barrier !== undefined && isSameId(answer['id'], barrier.id)
    const accepts = ({ message: answer, source }: InMessage) =>
      isResponse(answer) &&
      !isBarrier(answer) &&
      (match === 'any'
        ? !this.#barriers.has(String(answer['id'])) && (this.transport !== 'http' || source === sent.exchange)
        : isSameId(answer['id'], id))
    const passed = barrier === undefined ? undefined : this.#passed(barrier, isBarrier)
    return this.#outcome(sent, accepts, from, { ...options, ...(passed !== undefined && { passed }) })
  }

  /** Resolves a moment after the barrier was answered. */
  async #passed(barrier: JsonObject, isBarrier: (answer: JsonObject) => boolean): Promise<void> {
    const never = new Promise<never>(() => undefined)
    const until = this.closed.then(() => undefined)
    const answer = this.inbox.next(({ message }) => isResponse(message) && isBarrier(message), until)
    await this.send(barrier)
    if ((await answer) === undefined) await never
    await elapsed(this.parts.waits().silenceMs / 4)
  }

  /** Sends a request of the revision and waits for what becomes of it. */
  call(method: string, params?: JsonObject, options: RequestOptions = {}): Promise<Outcome> {
    return this.exchange(this.compose(method, params, options), options)
  }

  /** Sends a request that must succeed; anything but a result ends the check as inconclusive. */
  async request(method: string, params?: JsonObject, options: RequestOptions = {}): Promise<JsonObject> {
    const outcome = await this.call(method, params, options)
    if (outcome.type === 'result') return outcome.result
    throw new Stopped('inconclusive', `${method} was not answered by a result: ${describeOutcome(outcome)}`)
  }

  notify(method: string, params?: JsonObject, options: SendOptions = {}): Promise<Sent> {
    return this.send(this.composeNotification(method, params), options)
  }

  /**
   * Sends a request that must be answered, and resolves when it is: whatever was to come before has come by then.
   * Ends the check as inconclusive unless `tryBarrier` is used.
   */
  async barrier(): Promise<void> {
    const outcome = await this.tryBarrier()
    if (outcome.type !== 'result' && outcome.type !== 'error')
      throw new Stopped('inconclusive', `the barrier was not answered: ${describeOutcome(outcome)}`)
  }

  /** The barrier, for checks that judge whether the connection still serves. */
  tryBarrier(): Promise<Outcome> {
    return this.exchange(this.barrierRequest())
  }

  /** The request of a barrier, not sent yet. */
  barrierRequest() {
    return this.compose(this.isModern ? 'server/discover' : 'ping')
  }

  /** Waits for the first message from number `from` of `received` on that fits. */
  async waitFor(
    accepts: (item: InMessage) => boolean,
    { timeoutMs = this.parts.waits().answerMs, from = 0 } = {},
  ): Promise<InMessage | undefined> {
    return this.inbox.next(accepts, Promise.race([elapsed(timeoutMs), this.closed]), from)
  }

  /** Waits for a request or notification of the server. */
  waitForMethod(method: string, options: { timeoutMs?: number; from?: number } = {}) {
    return this.waitFor(({ message }) => message['method'] === method, options)
  }

  /** Waits for things that must not come, and returns the messages that came. */
  async silence(milliseconds = this.parts.waits().silenceMs): Promise<readonly InMessage[]> {
    const from = this.inbox.messages.length
    await Promise.race([elapsed(milliseconds), this.closed])
    return this.inbox.messages.slice(from)
  }

  /** Answers a request of the server. */
  async answer(request: JsonObject, result: JsonObject): Promise<void> {
    await this.send({ jsonrpc: '2.0', id: request['id'], result })
  }

  /** How many times as long as for other answers the probe waits for that of `initialize`. */
  protected get openingFactor(): number {
    return 1
  }

  /** The handshake of the revision; modern connections need none. */
  async handshake(): Promise<Outcome | undefined> {
    const { handshake = 'full', clientInfo = PROBE_IDENTITY } = this.options
    if (handshake === 'none' || this.isModern) return undefined
    const params = {
      protocolVersion: this.options.revision ?? this.revision,
      capabilities: this.capabilities,
      clientInfo,
    }
    // A wrong id is a matter of one check, and no reason for the others not to run.
    const timeoutMs = this.parts.waits().answerMs * this.openingFactor
    const outcome = await this.call('initialize', params, { match: 'any', timeoutMs })
    if (outcome.type !== 'result') return outcome
    this.initialized = outcome.result
    if (handshake === 'full') await this.afterInitialize()
    return outcome
  }

  /** Sends `notifications/initialized`, and opens what comes after it. */
  async afterInitialize(): Promise<void> {
    await this.notify('notifications/initialized')
  }

  async #outcome(
    sent: Sent,
    accepts: (item: InMessage) => boolean,
    from: number,
    { timeoutMs = this.parts.waits().answerMs, passed }: { timeoutMs?: number; passed?: Promise<void> },
  ): Promise<Outcome> {
    const began = performance.now()
    const over = Promise.withResolvers<'silence' | 'passed' | 'closed' | 'http'>()
    const timer = setTimeout(() => {
      over.resolve('silence')
    }, timeoutMs)
    const end = (why: 'passed' | 'closed' | 'http') => () => {
      over.resolve(why)
    }
    void this.closed.then(end('closed'))
    void passed?.then(end('passed'))
    if (sent.exchange !== undefined) void this.exchangeOver(sent.exchange).then(end('http'))
    const found = await this.inbox.next(accepts, over.promise, from)
    clearTimeout(timer)
    const http = sent.exchange?.response
    const common = {
      sent: sent.frame,
      ...(sent.exchange !== undefined && { exchange: sent.exchange }),
      ...(http !== undefined && { http }),
    }
    if (found !== undefined) return outcomeOf(found.message, found.frame, common)
    switch (await over.promise) {
      case 'closed':
        return { ...common, type: 'closed', reason: this.#closedReason ?? '' }
      case 'passed':
        return { ...common, type: 'silence', waitedMs: Math.round(performance.now() - began), isPassed: true }
      case 'silence':
        this.parts.onTimeout()
        return { ...common, type: 'silence', waitedMs: timeoutMs }
      case 'http': {
        if (http !== undefined)
          return { ...common, type: 'http', status: http.status, frame: sent.exchange?.responseFrame }
        return { ...common, type: 'closed', reason: (await sent.exchange?.ended) ?? 'no response' }
      }
    }
  }

  /** Resolves when no answer can come by that exchange any more. */
  protected async exchangeOver(exchange: HttpExchange): Promise<void> {
    await exchange.ended
  }

  #params(params: JsonObject | undefined, envelope: ComposeOptions['envelope']): { params?: JsonObject } {
    if (!this.isModern) return params === undefined ? {} : { params }
    const meta: Record<string, unknown> = {
      [MetaKey.protocolVersion]: this.options.revision ?? this.revision,
      [MetaKey.clientInfo]: this.options.clientInfo ?? PROBE_IDENTITY,
      [MetaKey.clientCapabilities]: this.capabilities,
      ...(isJsonObject(params?.['_meta']) ? params['_meta'] : {}),
      ...envelope,
    }
    return { params: { ...params, _meta: withoutUndefined(meta) } }
  }
}

function withoutUndefined(members: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

function tryParse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString()) as unknown
  } catch {
    return undefined
  }
}
