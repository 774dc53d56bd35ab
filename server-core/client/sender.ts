import { ErrorCode } from '../protocol/errors.ts'
import { encodeHeaderValue } from '../protocol/header-value.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { Era, Revision } from '../protocol/revisions.ts'
import { TransportError } from '../ports/contract.ts'
import type { Answer, Channel } from './channel.ts'
import { withEnvelope } from './envelope.ts'
import { PeerError, RequestFailedError } from './errors.ts'
import type { ClientExtensions } from './extension.ts'
import type { KnownTools } from './known-tools.ts'
import type { LogLevelSetting } from './log-level.ts'
import type { RequestOptions } from './request-options.ts'
import type { Session } from './session.ts'

const MAXIMUM_FACTOR = 10
const NO_HEADERS: Readonly<Record<string, string>> = {}

/** What may be asked twice: the first asking may have been served although its answer was lost. */
const CHANGES_NOTHING: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
  'tasks/get',
])
const CUT: ReadonlySet<string | undefined> = new Set([undefined, 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

export type SenderOptions = {
  readonly channel: Channel
  readonly revision: Revision
  readonly era: Era
  /** What every request says of itself (2026-07-28). */
  readonly envelope: JsonObject
  readonly timeoutMs: number
  readonly extensions: ClientExtensions
  readonly tools: KnownTools
  readonly logLevel: LogLevelSetting
  /** Where there is one that can be lost. */
  readonly session: Session | undefined
  /** Reads the list of tools again. */
  readonly listTools: (signal: AbortSignal | undefined) => Promise<unknown>
}

/** Sends single requests of one connection, each with what its era and transport need: envelope, headers, session. */
export class Sender {
  readonly #options: SenderOptions
  readonly #isHttp: boolean

  constructor(options: SenderOptions) {
    this.#options = options
    this.#isHttp = options.channel.transport.kind === 'http'
  }

  /** One message and its answer. Throws a `PeerError` or a `RequestFailedError`. */
  send(method: string, params: JsonObject | undefined, options: RequestOptions): Promise<Answer> {
    const { era, session } = this.#options
    if (era === 'modern') return this.#sendModern(method, params, options)
    if (session === undefined) return this.#send(method, params, NO_HEADERS, options)
    return session.send(() => this.#send(method, params, NO_HEADERS, options))
  }

  #send(
    method: string,
    params: JsonObject | undefined,
    headers: Readonly<Record<string, string>>,
    options: RequestOptions,
  ): Promise<Answer> {
    const { channel, revision, era } = this.#options
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs
    return channel.request({
      method,
      ...(params === undefined ? {} : { params }),
      revision,
      headers,
      timeoutMs,
      maximumMs: options.maximumMs ?? timeoutMs * MAXIMUM_FACTOR,
      signal: options.signal,
      onProgress: options.onProgress,
      cancellation: era === 'modern' && this.#isHttp ? 'hang-up' : 'notify',
    })
  }

  #sendModern(method: string, params: JsonObject | undefined, options: RequestOptions): Promise<Answer> {
    const { envelope, extensions, logLevel } = this.#options
    const logging = logLevel.meta(options.logLevel)
    const described = withEnvelope(params, logging === undefined ? envelope : { ...envelope, ...logging })
    if (!this.#isHttp) return this.#send(method, described, NO_HEADERS, options)
    if (method === 'tools/call') return this.#sendCall(described, options)
    const name = extensions.nameOf(method, params)
    const headers = name === undefined ? NO_HEADERS : { 'mcp-name': encodeHeaderValue(name) }
    const send = (): Promise<Answer> => this.#send(method, described, headers, options)
    return CHANGES_NOTHING.has(method) ? onceMoreIfCut(send) : send()
  }

  /** Over HTTP a header that does not fit the arguments means that the tool changed: it is looked up again, once. */
  async #sendCall(params: JsonObject, options: RequestOptions): Promise<Answer> {
    const { tools, listTools } = this.#options
    const { name, arguments: args } = params
    if (typeof name !== 'string') return this.#send('tools/call', params, NO_HEADERS, options)
    try {
      return await this.#send('tools/call', params, tools.headersOf(name, args), options)
    } catch (error) {
      if (!(error instanceof PeerError) || error.code !== ErrorCode.headerMismatch) throw error
      await listTools(options.signal)
      return this.#send('tools/call', params, tools.headersOf(name, args), options)
    }
  }
}

/**
 * A request whose stream or connection was cut is over for its server (2026-07-28, Streamable HTTP: disconnection), and
 * is sent again, with a new id.
 */
async function onceMoreIfCut(send: () => Promise<Answer>): Promise<Answer> {
  try {
    return await send()
  } catch (error) {
    const cause = error instanceof RequestFailedError && error.code === 'transport' ? error.cause : undefined
    const isCut =
      cause instanceof TransportError &&
      cause.code === 'connection-failed' &&
      CUT.has(cause.evidence.systemCode)
    if (!isCut) throw error
    return send()
  }
}
