import { setTimeout as wait } from 'node:timers/promises'
import { ErrorCode } from '../protocol/errors.ts'
import { parseExact } from '../protocol/exact-json.ts'
import { headerParametersOf, mirroredHeaders, type MirroredParameter } from '../protocol/header-parameters.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { JsonRpcNotification } from '../protocol/messages.ts'
import { revisionRow, type Era, type Revision } from '../protocol/revisions.ts'
import { TransportError, type TransportEvidence } from '../transports/contract.ts'
import type { Answer, Channel, Progress } from './channel.ts'
import type { Declaration } from './declaration.ts'
import { envelopeOf, withEnvelope } from './envelope.ts'
import { PeerError, RequestFailedError, type ProbeStep } from './errors.ts'
import { Listens, type Listening, type ListenFilter } from './listen.ts'
import { LISTS, readList, type Listed, type ListKind } from './listed.ts'
import { PeerRequests } from './peer-requests.ts'
import { initialize, type Agreement } from './probe.ts'
import { responderFor, type Responders } from './responders.ts'
import { beginRounds, MAX_ROUNDS, nextStep, paramsWithAnswers, type InputRequest } from './rounds.ts'
import { Subscriptions, type ListName } from './subscriptions.ts'

export type RequestOptions = {
  /** Aborting cancels the request, the way its revision and transport have for that. */
  readonly signal?: AbortSignal
  /** Milliseconds without answer or progress; the connection's default unless told. */
  readonly timeoutMs?: number
  /** Milliseconds in all; ten times `timeoutMs` unless told. */
  readonly ceilingMs?: number
  readonly onProgress?: (progress: Progress) => void
  /** The parameters as JSON text instead: every number goes out as it is written here. */
  readonly paramsText?: string
  /** `manual`: a result that asks for input is given as it is, even if there are responders. */
  readonly rounds?: 'auto' | 'manual'
}

/** An answer, and the bytes of the message it came in. */
export type RequestResult = { readonly result: JsonObject; readonly bytes: Uint8Array }

export type ConnectionOptions = {
  readonly declaration: Declaration
  readonly responders: Responders
  readonly requestTimeoutMs: number
  readonly onNotification?: ((message: JsonRpcNotification) => void) | undefined
  readonly onClosed?: ((error: TransportError) => void) | undefined
}

const CEILING_FACTOR = 10
/** Between rounds in which the server asked nothing and only wants to be called again. */
const PACE_MS = 250

/** An open connection to one server, in the revision that was agreed on. Made by `connect`. */
export class Connection {
  readonly revision: Revision
  readonly era: Era
  /** How the revision was found; a session that was lost and began anew adds a step. */
  readonly steps: ProbeStep[]
  /** Resolves when the connection has ended, with the reason; `closed` if we closed it. */
  readonly closed: Promise<TransportError>
  readonly #channel: Channel
  readonly #options: ConnectionOptions
  readonly #envelope: JsonObject
  readonly #isHttp: boolean
  readonly #subscriptions: Subscriptions
  readonly #listens: Listens | undefined
  readonly #mirrored = new Map<string, readonly MirroredParameter[]>()
  #agreement: Agreement
  #session = 0
  #renewal: Promise<void> | undefined

  constructor(agreement: Agreement, steps: readonly ProbeStep[], options: ConnectionOptions) {
    const { channel, revision } = agreement
    this.#agreement = agreement
    this.#channel = channel
    this.#options = options
    this.revision = revision
    this.era = revisionRow(revision)?.era ?? 'legacy'
    this.steps = [...steps]
    this.#isHttp = channel.transport.kind === 'http'
    const { identity, capabilities } = options.declaration
    this.#envelope = envelopeOf(revision, identity, capabilities)
    this.#listens = this.era === 'modern' ? new Listens(channel, revision, this.#envelope) : undefined
    this.#subscriptions = new Subscriptions({
      capabilities: () => this.capabilities,
      listens: this.#listens,
      timeoutMs: options.requestTimeoutMs,
      send: (method, params) => this.request(method, params),
    })
    const ended = Promise.withResolvers<TransportError>()
    this.closed = ended.promise
    const peerRequests = new PeerRequests(channel, revision, options.responders, capabilities)
    channel.attach({
      notification: (message) => {
        peerRequests.notification(message)
        this.#subscriptions.notification(message)
        options.onNotification?.(message)
      },
      request: (message, asked) => {
        // From 2026-07-28 on only the client asks, and a client never sends a response.
        if (this.era === 'legacy') peerRequests.request(message, asked)
      },
      closed: (error) => {
        peerRequests.abortAll()
        this.#subscriptions.stop()
        ended.resolve(error)
        options.onClosed?.(error)
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

  /**
   * Sends a request and gives its result. Where the server asks something first (2026-07-28), the responders answer
   * and the request goes on. Throws a `PeerError` (a `ProtocolError` with bytes) for the server's error answer and a
   * `RequestFailedError` if no usable answer came.
   */
  async request(method: string, params?: JsonObject, options: RequestOptions = {}): Promise<RequestResult> {
    const wanted = options.paramsText === undefined ? params : paramsOfText(options.paramsText)
    if (this.era === 'legacy') return this.#sendInSession(method, wanted, options)
    let rounds = beginRounds(method, wanted ?? {})
    for (let next = wanted; ;) {
      const { result, bytes } = await this.#sendModern(method, next, options)
      const step = nextStep(rounds, result)
      if (step.type === 'invalid') throw new RequestFailedError('invalid-answer', step.reason, { bytes })
      if (step.type === 'complete' || options.rounds === 'manual') return { result, bytes }
      rounds = step.rounds
      if (rounds.round > MAX_ROUNDS)
        throw new RequestFailedError('too-many-rounds', `the server asked more than ${MAX_ROUNDS} times`, {
          bytes,
        })
      if (step.questions.size === 0) await wait(PACE_MS)
      next = paramsWithAnswers(rounds, await this.#answers(step.questions, bytes, options.signal))
    }
  }

  /** Sends a notification. Throws a `RequestFailedError` if it cannot be sent. */
  notify(method: string, params?: JsonObject): Promise<void> {
    return this.#channel.notify(method, params, this.revision)
  }

  /** All tools. Over HTTP, tools whose header annotations break the rules of 2026-07-28 are among the malformed. */
  async listTools(options?: RequestOptions): Promise<Listed> {
    if (this.era === 'legacy' || !this.#isHttp) return this.#list(LISTS.tools, options)
    const mirrored = new Map<string, readonly MirroredParameter[]>()
    const listed = await this.#list(LISTS.tools, options, (tool) => {
      const found = headerParametersOf(isJsonObject(tool['inputSchema']) ? tool['inputSchema'] : {})
      if (!found.ok) return found.reason
      if (typeof tool['name'] === 'string' && !mirrored.has(tool['name']))
        mirrored.set(tool['name'], found.parameters)
      return undefined
    })
    this.#mirrored.clear()
    for (const [name, parameters] of mirrored) this.#mirrored.set(name, parameters)
    return listed
  }

  listResources(options?: RequestOptions): Promise<Listed> {
    return this.#list(LISTS.resources, options)
  }

  listResourceTemplates(options?: RequestOptions): Promise<Listed> {
    return this.#list(LISTS.resourceTemplates, options)
  }

  listPrompts(options?: RequestOptions): Promise<Listed> {
    return this.#list(LISTS.prompts, options)
  }

  /** Calls back when the server says that a list changed, or may have while it could not tell. */
  onListChanged(listener: (list: ListName) => void): () => void {
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

  /** Ends the connection and whatever it started. Requests in flight fail. */
  async close(): Promise<void> {
    this.#subscriptions.stop()
    await this.#channel.close()
  }

  /** What the transport knows: pid, last stderr, address. */
  evidence(): TransportEvidence {
    return this.#channel.transport.evidence()
  }

  #list(
    kind: ListKind,
    options?: RequestOptions,
    alsoCheck?: (entry: JsonObject) => string | undefined,
  ): Promise<Listed> {
    return readList(
      kind,
      async (params) => (await this.request(kind.method, params, options)).result,
      alsoCheck,
    )
  }

  #send(
    method: string,
    params: JsonObject | undefined,
    headers: Record<string, string>,
    options: RequestOptions,
  ): Promise<Answer> {
    const timeoutMs = options.timeoutMs ?? this.#options.requestTimeoutMs
    return this.#channel.request({
      method,
      ...(params === undefined ? {} : { params }),
      revision: this.revision,
      headers,
      timeoutMs,
      ceilingMs: options.ceilingMs ?? timeoutMs * CEILING_FACTOR,
      signal: options.signal,
      onProgress: options.onProgress,
      cancellation: this.era === 'modern' && this.#isHttp ? 'hang-up' : 'notify',
    })
  }

  /** Over HTTP a header that does not fit the arguments means that the tool changed: it is looked up again, once. */
  async #sendModern(
    method: string,
    params: JsonObject | undefined,
    options: RequestOptions,
  ): Promise<Answer> {
    const described = withEnvelope(params, this.#envelope)
    const name = params?.['name']
    if (!this.#isHttp || method !== 'tools/call' || typeof name !== 'string')
      return this.#send(method, described, {}, options)
    const headers = (): Record<string, string> =>
      mirroredHeaders(this.#mirrored.get(name) ?? [], params?.['arguments'])
    try {
      return await this.#send(method, described, headers(), options)
    } catch (error) {
      if (!(error instanceof PeerError) || error.code !== ErrorCode.headerMismatch) throw error
      await this.listTools({ ...(options.signal === undefined ? {} : { signal: options.signal }) })
      return this.#send(method, described, headers(), options)
    }
  }

  /** A session that the server has forgotten (404) is begun anew, once, and the request sent again. */
  async #sendInSession(
    method: string,
    params: JsonObject | undefined,
    options: RequestOptions,
  ): Promise<Answer> {
    const session = this.#session
    try {
      return await this.#send(method, params, {}, options)
    } catch (error) {
      if (!this.#isHttp || !isSessionLost(error)) throw error
      if (session === this.#session) {
        this.#renewal ??= this.#renew().finally(() => (this.#renewal = undefined))
        await this.#renewal
      }
      return this.#send(method, params, {}, options)
    }
  }

  async #renew(): Promise<void> {
    const { declaration, requestTimeoutMs } = this.#options
    const agreement = await initialize(this.#channel, {
      revision: this.revision,
      ...declaration,
      timeoutMs: requestTimeoutMs,
    })
    this.#agreement = agreement
    this.#session += 1
    this.steps.push({
      step: `initialize (${this.revision})`,
      outcome: 'the server had lost the session; a new one began',
    })
    void this.#subscriptions.renew()
  }

  async #answers(
    questions: ReadonlyMap<string, InputRequest>,
    bytes: Uint8Array,
    signal: AbortSignal | undefined,
  ): Promise<Map<string, JsonObject>> {
    const { responders, declaration } = this.#options
    const context = { signal: signal ?? new AbortController().signal, revision: this.revision, bytes }
    const answered = [...questions].map(async ([key, { method, params }]): Promise<[string, JsonObject]> => {
      try {
        const responder = responderFor(responders, declaration.capabilities, method, params)
        return [key, await responder(params, { ...context, method, key })]
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause)
        throw new RequestFailedError(
          'input-required',
          `the server asks for ${method} ("${key}"): ${reason}`,
          { bytes, cause },
        )
      }
    })
    return new Map(await Promise.all(answered))
  }
}

function isSessionLost(error: unknown): boolean {
  if (!(error instanceof RequestFailedError) || !(error.cause instanceof TransportError)) return false
  return error.cause.code === 'http-status' && error.cause.evidence.httpStatus === 404
}

function paramsOfText(text: string): JsonObject {
  let params: unknown
  try {
    params = parseExact(text, 'text')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new RequestFailedError('invalid-params', `the parameters are no JSON: ${reason}`, { cause })
  }
  if (!isJsonObject(params))
    throw new RequestFailedError('invalid-params', 'the parameters must be a JSON object')
  return params
}
