import type { TransportKind } from '../protocol/transport-kind.ts'
import { parseExact } from '../protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { JsonRpcNotification } from '../protocol/messages.ts'
import { revisionRow, type Era, type Revision } from '../protocol/revisions.ts'
import type { TransportError, TransportEvidence } from '../ports/contract.ts'
import { Answering } from './answers/answering.ts'
import { CachedRequests } from './caching/cached-requests.ts'
import type { Channel } from './channel.ts'
import type { Declaration } from './declaration.ts'
import { envelopeOf } from './envelope.ts'
import { RequestFailedError, type ProbeStep } from './errors.ts'
import { Events, type ConnectionEvents, type ConnectionListeners } from './events.ts'
import { ClientExtensions, type ClientExtension } from './extension.ts'
import { KnownTools, type KnownTool } from './known-tools.ts'
import { Listens, type Listening, type ListenFilter } from './listen.ts'
import { LISTS, readList, readPages, type Listed, type ListId, type ListReader, type Page } from './listed.ts'
import type { LogLevel } from '../protocol/log-level.ts'
import { LogLevelSetting } from './log-level.ts'
import { PeerRequests } from './peer-requests.ts'
import type { Agreement } from './handshake.ts'
import { exchangeRaw, type RawExchange, type RawSending } from './raw.ts'
import type { RequestOptions, RequestResult, RoundOutcome } from './request-options.ts'
import type { Responders } from './responders.ts'
import type { ResultCache } from './caching/result-cache.ts'
import { RoundTrips } from './rounds/round-trips.ts'
import type { InputRequest, Rounds } from './rounds/rounds.ts'
import { Sender } from './sender.ts'
import { lossText, Session, type Restore } from './session.ts'
import type { ListKind } from '../protocol/list-kind.ts'
import { Subscriptions } from './subscriptions.ts'
import { messageOf } from '../protocol/error-message.ts'

export type { RequestOptions, RequestResult, RoundOutcome }

export type ConnectionOptions = {
  readonly declaration: Declaration
  readonly responders: Responders
  readonly requestTimeoutMs: number
  readonly extensions: readonly ClientExtension[]
  readonly cache: CacheOptions
  /** Listeners from the start: they receive events that come before `on` could be called. */
  readonly listeners: readonly ConnectionListeners[]
}

/** Where results are kept (2026-07-28, utilities: caching). */
export type CacheOptions = {
  /** One for several connections. */
  readonly cache: ResultCache
  /** Names the server among those that use the cache. */
  readonly server: string
  /** Names the authorization that requests go out with; private results are found by the same alone. */
  readonly authorization?: () => string
}

/** An open connection to one server, in the revision that was agreed on. Made by `connect`. */
export class Connection {
  readonly revision: Revision
  readonly era: Era
  /** How the revision was found; a session that was lost and began again adds a step. */
  readonly steps: ProbeStep[]
  /** Resolves when the connection has ended, with the reason; `closed` if we closed it. */
  readonly closed: Promise<TransportError>
  /** Answers questions of the server, as a responder would, the checks included. */
  readonly answering: Answering
  readonly #channel: Channel
  readonly #options: ConnectionOptions
  readonly #events = new Events()
  readonly #extensions: ClientExtensions
  readonly #peerRequests: PeerRequests
  readonly #subscriptions: Subscriptions
  readonly #listens: Listens | undefined
  readonly #session: Session | undefined
  readonly #cached: CachedRequests | undefined
  readonly #tools: KnownTools
  readonly #logLevel: LogLevelSetting
  readonly #roundTrips: RoundTrips
  #agreement: Agreement

  constructor(agreement: Agreement, steps: readonly ProbeStep[], options: ConnectionOptions) {
    const { channel, revision } = agreement
    const { declaration, responders, requestTimeoutMs: timeoutMs } = options
    const { identity, capabilities } = declaration
    this.#agreement = agreement
    this.#channel = channel
    this.#options = options
    this.revision = revision
    const era = revisionRow(revision)?.era ?? 'legacy'
    this.era = era
    this.steps = [...steps]
    const isHttp = channel.transport.kind === 'http'
    const isModern = era === 'modern'
    const envelope = envelopeOf(revision, identity, capabilities)
    const extensions = new ClientExtensions(options.extensions, capabilities)
    const tools = new KnownTools(isModern && isHttp)
    const send = (method: string, params: JsonObject) => this.request(method, params)
    const logLevel = new LogLevelSetting(era, send)
    const ended = Promise.withResolvers<TransportError>()
    this.closed = ended.promise
    this.answering = new Answering(responders, capabilities, revision)
    this.#extensions = extensions
    this.#tools = tools
    this.#logLevel = logLevel
    this.#listens = isModern ? new Listens(channel, revision, envelope) : undefined
    this.#cached = isModern ? cachedRequests(options) : undefined
    if (agreement.discovery !== undefined) this.#cached?.keep('server/discover', {}, agreement.discovery)
    this.#subscriptions = new Subscriptions({
      capabilities: () => this.capabilities,
      listens: this.#listens,
      timeoutMs,
      send,
      missed: (what) => this.#cached?.missed(what),
    })
    this.#session = isHttp && !isModern ? this.#newSession() : undefined
    const listTools = (signal: AbortSignal | undefined) =>
      this.listTools({ ...(signal && { signal }), cache: 'refresh' })
    const session = this.#session
    const parts = {
      channel,
      revision,
      era,
      envelope,
      timeoutMs,
      extensions,
      tools,
      logLevel,
      session,
      listTools,
    }
    this.#roundTrips = new RoundTrips({
      era,
      sender: new Sender(parts),
      answering: this.answering,
      events: this.#events,
      extensionTypes: extensions.resultTypes,
      closed: this.closed,
    })
    this.#peerRequests = new PeerRequests({
      channel,
      revision,
      capabilities,
      answering: this.answering,
      onRefused: (refused) => this.#events.emit('answerRefused', refused),
    })
    for (const listeners of options.listeners) this.#listen(listeners)
    channel.attach({
      notification: (message) => this.#notified(message),
      request: (message, bytes) => {
        // From 2026-07-28 on only the client asks, and a client never sends a response.
        if (!isModern) this.#peerRequests.request(message, bytes)
      },
      wantsAll: () => this.#events.has('received'),
      received: (incoming) => this.#events.emit('received', incoming),
      invalid: (bytes, reason) => this.#events.emit('invalid', { bytes, reason }),
      closed: (error) => {
        this.#peerRequests.abortAll()
        this.#subscriptions.stop()
        ended.resolve(error)
        this.#events.emit('closed', error)
      },
    })
  }

  /** What this connection says about itself. */
  get declaration(): Declaration {
    return this.#options.declaration
  }

  /** Who the server says it is; missing if it does not say. */
  get serverInfo(): JsonObject | undefined {
    return this.#agreement.serverInfo
  }

  get capabilities(): JsonObject {
    return this.#agreement.capabilities
  }

  get instructions(): string | undefined {
    return this.#agreement.instructions
  }

  get transport(): TransportKind {
    return this.#channel.transport.kind
  }

  get logLevel(): LogLevel | undefined {
    return this.#logLevel.level
  }

  /** Calls back whenever something of the kind happens. Gives the function that removes the listener. */
  on<Name extends keyof ConnectionEvents>(
    name: Name,
    listener: (value: ConnectionEvents[Name]) => void,
  ): () => void {
    // The subscriptions know whether anybody wants to learn of the lists.
    if (name === 'listChanged') return this.#subscriptions.onListChanged(listener as (list: ListKind) => void)
    if (name === 'resourceUpdated')
      return this.#subscriptions.onResourceUpdated(listener as (uri: string) => void)
    return this.#events.on(name, listener)
  }

  /**
   * Sends a request and gives its result. Where the server asks something first (2026-07-28), the responders answer
   * and the request goes on. Throws a `PeerError` (a `ProtocolError` with bytes) for the server's error answer and a
   * `RequestFailedError` if no usable answer came.
   */
  request(method: string, params?: JsonObject, options: RequestOptions = {}): Promise<RequestResult> {
    if (options.paramsText !== undefined) return this.#requestText(method, options.paramsText, options)
    if (this.#cached === undefined || !CachedRequests.concern(method))
      return this.#roundTrips.request(method, params, options)
    const { cache = 'use', staleIfError = false } = options
    return this.#cached.request(method, params, cache, staleIfError, () =>
      this.#roundTrips.request(method, params, options),
    )
  }

  /**
   * Sends one round of a request and says what it came to: the end, or questions to put answers to (`withAnswer`)
   * before the next. The state is plain data that may be kept meanwhile. Throws as `request` does. Works in every
   * revision: before 2026-07-28 the first round is the last.
   */
  sendRound(rounds: Rounds, options: RequestOptions = {}): Promise<RoundOutcome> {
    return this.#roundTrips.sendRound(rounds, options)
  }

  /** Sends a notification. Throws a `RequestFailedError` if it cannot be sent. */
  notify(method: string, params?: JsonObject): Promise<void> {
    return this.#channel.notify(method, params, this.revision)
  }

  /** Sends bytes, text or a JSON value as it is, and gives the answers that belong to it (`raw.ts`). */
  sendRaw(data: unknown, options?: RawSending): Promise<RawExchange> {
    return exchangeRaw(this.#channel, data, { revision: this.revision, ...options })
  }

  /** All tools. Over HTTP, tools whose header annotations break the rules of 2026-07-28 are among the malformed. */
  async listTools(options?: RequestOptions): Promise<Listed> {
    const listed = await readList(this.#reader('tools', options))
    this.#tools.replace(listed.items)
    return listed
  }

  listResources(options?: RequestOptions): Promise<Listed> {
    return readList(this.#reader('resources', options))
  }

  listResourceTemplates(options?: RequestOptions): Promise<Listed> {
    return readList(this.#reader('resourceTemplates', options))
  }

  listPrompts(options?: RequestOptions): Promise<Listed> {
    return readList(this.#reader('prompts', options))
  }

  /** A list page by page, as far as it is taken (`readPages`). */
  pages(list: ListId, options?: RequestOptions): AsyncGenerator<Page, void, void> {
    return readPages(this.#reader(list, options))
  }

  /** What the newest list says of a tool; undefined if it names none such. */
  knownTool(name: string): KnownTool | undefined {
    return this.#tools.get(name)
  }

  /** Whether the tools were ever listed to the end. */
  get toolsAreKnown(): boolean {
    return this.#tools.areRead
  }

  /** Calls back when the server says that a list changed, or may have while it could not tell. */
  onListChanged(listener: (list: ListKind) => void): () => void {
    return this.#subscriptions.onListChanged(listener)
  }

  /** Calls back when a resource given to `subscribe` changed. */
  onResourceUpdated(listener: (uri: string) => void): () => void {
    return this.#subscriptions.onResourceUpdated(listener)
  }

  subscribe(uri: string): Promise<void> {
    return this.#subscriptions.subscribe(uri)
  }

  unsubscribe(uri: string): Promise<void> {
    return this.#subscriptions.unsubscribe(uri)
  }

  /** Opens a listen of its own (2026-07-28). Its notices come to the same listeners. */
  listen(filter: ListenFilter): Promise<Listening> {
    if (this.#listens !== undefined) return this.#listens.open(filter, this.#options.requestTimeoutMs)
    return Promise.reject(
      new RequestFailedError('invalid-params', `revision ${this.revision} has no subscriptions/listen`),
    )
  }

  /**
   * Has one question in an answer (2026-07-28) answered by its responder. Throws a `RequestFailedError` that names the
   * question and says why there is no answer to it.
   */
  answerFor(
    key: string,
    question: InputRequest,
    asked: { readonly bytes: Uint8Array; readonly signal: AbortSignal },
  ): Promise<JsonObject> {
    return this.#roundTrips.answerFor(key, question, asked)
  }

  /** Asks for log messages from a severity on, for all requests from now on. Throws as `request` does. */
  setLogLevel(level: LogLevel | undefined): Promise<void> {
    return this.#logLevel.set(level)
  }

  /**
   * Runs whenever a lost session began again (before 2026-07-28 over HTTP), to set something up again in it or to say
   * that it is lost. Returns an unsubscribe function.
   */
  onRenewal(restore: Restore): () => void {
    return this.#session?.onRenewal(restore) ?? (() => undefined)
  }

  /** Ends the connection and whatever it started. Requests in flight fail. */
  async close(): Promise<void> {
    this.#subscriptions.stop()
    await this.#channel.close()
  }

  /** What the transport knows: pid, last stderr, address. */
  evidence(): TransportEvidence {
    return this.#channel.transport.evidence()
  }

  #listen(listeners: ConnectionListeners): void {
    const add = <Name extends keyof ConnectionEvents>(
      name: Name,
      all: Pick<ConnectionListeners, Name>,
    ): void => {
      const listener = all[name]
      if (listener !== undefined) this.on(name, listener)
    }
    for (const name of Object.keys(listeners)) add(name as keyof ConnectionEvents, listeners)
  }

  #newSession(): Session {
    const { declaration, requestTimeoutMs: timeoutMs } = this.#options
    const session = new Session({
      channel: this.#channel,
      revision: this.revision,
      declaration,
      timeoutMs,
      onBegun: (agreement) => (this.#agreement = agreement),
      onRenewed: (loss) => {
        this.steps.push({ step: `initialize (${this.revision})`, outcome: lossText(loss) })
        this.#events.emit('sessionRenewed', loss)
      },
    })
    session.onRenewal(() => this.#logLevel.restore())
    session.onRenewal(() => this.#subscriptions.restore())
    return session
  }

  #notified(message: JsonRpcNotification): void {
    if (this.era === 'legacy') this.#peerRequests.notification(message)
    this.#cached?.notification(message)
    this.#subscriptions.notification(message)
    this.#extensions.notification(message)
    this.#events.notification(message)
  }

  #reader(list: ListId, options: RequestOptions = {}): ListReader {
    const kind = LISTS[list]
    return {
      kind,
      revision: this.revision,
      readPage: (params, refresh) => {
        if (refresh && params === undefined) this.#cached?.dropList(kind.method)
        return this.request(kind.method, params, options)
      },
      ...(list === 'tools' ? { alsoCheck: (tool: JsonObject) => this.#tools.check(tool) } : {}),
    }
  }

  async #requestText(method: string, text: string, options: RequestOptions): Promise<RequestResult> {
    const { paramsText: _, ...rest } = options
    return this.request(method, paramsOfText(text), rest)
  }
}

function cachedRequests({ declaration, cache: given }: ConnectionOptions): CachedRequests {
  const { cache, server, authorization = () => '' } = given
  const { capabilities } = declaration
  return new CachedRequests(cache, () => ({ server, authorization: authorization(), capabilities }))
}

function paramsOfText(text: string): JsonObject {
  let params: unknown
  try {
    params = parseExact(text, 'text')
  } catch (cause) {
    const reason = messageOf(cause)
    throw new RequestFailedError('invalid-params', `the parameters are not JSON: ${reason}`, { cause })
  }
  if (!isJsonObject(params))
    throw new RequestFailedError('invalid-params', 'the parameters must be a JSON object')
  return params
}
