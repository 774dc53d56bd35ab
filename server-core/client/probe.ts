import { ErrorCode, ProtocolError } from '../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { Limits } from '../protocol/limits.ts'
import { MetaKey } from '../protocol/meta-keys.ts'
import { handshakeRow, revisionRow, revisionsOf, type Revision } from '../protocol/revisions.ts'
import { bodyEvidence } from '../transports/body-evidence.ts'
import { TransportError, type ClientTransport, type TransportEvidence } from '../transports/contract.ts'
import { Channel } from './channel.ts'
import { envelopeOf, withEnvelope, type Identity } from './envelope.ts'
import {
  ConnectError,
  PeerError,
  RequestFailedError,
  type ConnectFailureCode,
  type ProbeStep,
} from './errors.ts'

export type ProbeOptions = {
  /** Makes a transport that was never used; a silent or dead process is replaced by a fresh one. */
  readonly open: () => ClientTransport
  readonly identity: Identity
  readonly capabilities: JsonObject
  readonly protocol: 'auto' | Revision
  readonly limits: Limits
  readonly probeTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly signal?: AbortSignal | undefined
  readonly onStep?: ((step: ProbeStep) => void) | undefined
}

/** What both sides agreed on. */
export type Agreement = {
  readonly channel: Channel
  readonly revision: Revision
  readonly serverInfo?: JsonObject
  readonly capabilities: JsonObject
  readonly instructions?: string
}

type Verdict =
  | { readonly type: 'modern'; readonly agreement: Agreement }
  | { readonly type: 'retry'; readonly revision: Revision }
  /** `fresh`: this connection cannot be used for the handshake. */
  | { readonly type: 'legacy'; readonly fresh: boolean; readonly because: unknown }

/**
 * Finds out which revision a server speaks (versioning: backward compatibility): `server/discover` first, the
 * handshake if the server does not know that. An error answer leads to the handshake on the same connection; a
 * process that is silent, ends or breaks off is replaced. Over HTTP only a 4xx is taken for an old server: missing
 * authorization, a failing server and a failing network are told as what they are.
 */
export class Probe {
  readonly steps: ProbeStep[] = []
  readonly #options: ProbeOptions
  #channel: Channel | undefined

  constructor(options: ProbeOptions) {
    this.#options = options
  }

  /** Throws a `ConnectError`, whose `ended` resolves when nothing is left running. */
  async run(): Promise<Agreement> {
    try {
      const { protocol } = this.#options
      const pinned = protocol === 'auto' ? undefined : protocol
      if (pinned !== undefined && revisionRow(pinned)?.era === 'legacy')
        return await this.#initialize(await this.#open(), pinned)
      return await this.#probe(pinned)
    } catch (error) {
      throw this.#failure(error)
    }
  }

  async #probe(pinned: Revision | undefined): Promise<Agreement> {
    const channel = await this.#open()
    const modern = pinned ?? newest(revisionsOf('modern'))
    let verdict = await this.#discover(channel, modern)
    if (verdict.type === 'retry') verdict = await this.#discover(channel, verdict.revision, true)
    if (verdict.type === 'modern') return verdict.agreement
    const because = verdict.type === 'legacy' ? verdict.because : undefined
    if (pinned !== undefined) throw because
    const fresh = verdict.type === 'legacy' && verdict.fresh
    if (fresh) await channel.close()
    const legacy = newest(revisionsOf('legacy'))
    try {
      return await this.#initialize(fresh ? await this.#open() : channel, legacy)
    } catch (error) {
      // Over HTTP the first refusal says more about an address that is no server at all than the last.
      throw isPlainRefusal(error) && isPlainRefusal(because) ? because : error
    }
  }

  async #open(): Promise<Channel> {
    this.#options.signal?.throwIfAborted()
    const channel = new Channel(this.#options.open(), this.#options.limits)
    this.#channel = channel
    await channel.start()
    return channel
  }

  async #discover(channel: Channel, revision: Revision, isRetry = false): Promise<Verdict> {
    const { identity, capabilities, probeTimeoutMs, requestTimeoutMs, signal } = this.#options
    const isHttp = channel.transport.kind === 'http'
    const step = `server/discover (${revision})`
    try {
      const { result } = await channel.request({
        method: 'server/discover',
        params: withEnvelope(undefined, envelopeOf(revision, identity, capabilities)),
        revision,
        timeoutMs: isHttp ? requestTimeoutMs : Math.min(probeTimeoutMs, requestTimeoutMs),
        ceilingMs: Infinity,
        cancellation: isHttp ? 'hang-up' : 'none',
        signal,
      })
      return this.#readDiscovery(channel, step, revision, result)
    } catch (error) {
      if (error instanceof PeerError) return this.#readDiscoverError(step, error, isRetry)
      if (error instanceof RequestFailedError) return this.#readSilence(step, error, isHttp)
      throw error
    }
  }

  #readDiscovery(channel: Channel, step: string, revision: Revision, result: JsonObject): Verdict {
    const supported = result['supportedVersions']
    if (!isTextList(supported)) {
      this.#note(
        step,
        'answered without supportedVersions, so it is no answer of 2026-07-28; trying the handshake',
      )
      return {
        type: 'legacy',
        fresh: false,
        because: new RequestFailedError(
          'invalid-answer',
          'server/discover was answered without supportedVersions',
        ),
      }
    }
    const mutual = newestMutual('modern', supported)
    if (mutual === undefined) return this.#withoutModern(step, revision, supported)
    this.#note(step, `answered; the newest revision of both is ${mutual}`)
    const meta = isJsonObject(result['_meta']) ? result['_meta'] : {}
    const serverInfo = meta[MetaKey.serverInfo]
    return { type: 'modern', agreement: agreementOf(channel, mutual, result, serverInfo) }
  }

  #readDiscoverError(step: string, error: PeerError, isRetry: boolean): Verdict {
    const status = error.httpStatus
    const said = `${error.message} (${error.code})`
    const supported = isJsonObject(error.data) ? error.data['supported'] : undefined
    if (error.code === ErrorCode.unsupportedProtocolVersion && isTextList(supported)) {
      const mutual = newestMutual('modern', supported)
      if (mutual === undefined) return this.#withoutModern(step, undefined, supported)
      this.#note(step, `refused: ${said}; it supports ${supported.join(', ')}`)
      if (isRetry) throw error
      return { type: 'retry', revision: mutual }
    }
    const isModernRefusal =
      error.code === ErrorCode.headerMismatch || error.code === ErrorCode.missingClientCapability
    if (isModernRefusal || (status !== undefined && (status >= 500 || status === 429))) {
      this.#note(step, `refused: ${said}; this says nothing about older revisions`)
      throw error
    }
    this.#note(step, `error ${said}; trying the handshake`)
    return { type: 'legacy', fresh: false, because: error }
  }

  #readSilence(step: string, error: RequestFailedError, isHttp: boolean): Verdict {
    if (error.code === 'cancelled') throw error
    const { cause } = error
    if (!isHttp) {
      this.#note(step, `${reasonOf(error)}; trying the handshake with a fresh process`)
      return { type: 'legacy', fresh: true, because: error }
    }
    const status =
      cause instanceof TransportError && cause.code === 'http-status' ? cause.evidence.httpStatus : undefined
    if (status !== undefined && status >= 400 && status < 500 && status !== 429) {
      this.#note(step, `${reasonOf(error)}; trying the handshake`)
      return { type: 'legacy', fresh: false, because: error }
    }
    this.#note(step, `${reasonOf(error)}; this says nothing about the revision`)
    throw error
  }

  /** A modern server with no revision in common; it may still list an older one that is. */
  #withoutModern(step: string, asked: Revision | undefined, supported: readonly string[]): Verdict {
    const theirs = supported.length === 0 ? 'none' : supported.join(', ')
    const ours = [...revisionsOf('legacy'), ...revisionsOf('modern')].join(', ')
    const mismatch = `no revision in common: the server supports ${theirs}; this client ${ours}`
    if (newestMutual('legacy', supported) !== undefined && asked !== this.#options.protocol) {
      this.#note(step, `supports ${theirs}; trying the handshake`)
      return { type: 'legacy', fresh: false, because: new VersionMismatch(mismatch) }
    }
    this.#note(step, mismatch)
    throw new VersionMismatch(mismatch)
  }

  async #initialize(channel: Channel, revision: Revision): Promise<Agreement> {
    const { identity, capabilities, requestTimeoutMs, signal } = this.#options
    const step = `initialize (${revision})`
    try {
      const agreement = await initialize(channel, {
        revision,
        identity,
        capabilities,
        timeoutMs: requestTimeoutMs,
        signal,
      })
      this.#note(step, `answered; the session speaks ${agreement.revision}`)
      return agreement
    } catch (error) {
      this.#note(step, reasonOf(error))
      throw error
    }
  }

  #note(step: string, outcome: string): void {
    this.steps.push({ step, outcome })
    this.#options.onStep?.({ step, outcome })
  }

  #failure(error: unknown): ConnectError {
    const transport = transportErrorIn(error)
    const evidence = {
      ...this.#channel?.transport.evidence(),
      ...transport?.evidence,
      ...(error instanceof PeerError && answerEvidence(error)),
    }
    // Ending a stubborn process takes seconds; the cause is told at once.
    const ended = this.#channel?.close() ?? Promise.resolve()
    const details = { steps: [...this.steps], evidence, ended, cause: error }
    if (transport !== undefined && !(error instanceof RequestFailedError && error.code === 'cancelled')) {
      return new ConnectError(transport.code, transport.message, details)
    }
    return new ConnectError(codeOf(error), reasonOf(error), details)
  }
}

/** The client and the server speak no revision in common. */
class VersionMismatch extends Error {
  override readonly name = 'VersionMismatch'
}

type Handshake = {
  readonly revision: Revision
  readonly identity: Identity
  readonly capabilities: JsonObject
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * The handshake of the legacy revisions (lifecycle: initialization), `notifications/initialized` included. Throws if
 * the server answers with a revision this client does not speak.
 */
export async function initialize(channel: Channel, handshake: Handshake): Promise<Agreement> {
  const { revision, identity, capabilities, timeoutMs, signal } = handshake
  const { result } = await channel.request({
    method: 'initialize',
    params: { protocolVersion: revision, capabilities, clientInfo: identity },
    timeoutMs,
    ceilingMs: Infinity,
    // `initialize` is never cancelled on the wire.
    cancellation: 'hang-up',
    signal,
  })
  const answered = result['protocolVersion']
  if (typeof answered !== 'string') {
    throw new RequestFailedError('invalid-answer', 'initialize was answered without a protocolVersion')
  }
  const row = handshakeRow(answered)
  if (row === undefined) {
    const ours = revisionsOf('legacy').join(', ')
    throw new VersionMismatch(
      `no revision in common: the server answered ${answered}; this client offers ${ours}`,
    )
  }
  await channel.notify('notifications/initialized', undefined, row.revision)
  channel.transport.openStream?.()
  return agreementOf(channel, row.revision, result, result['serverInfo'])
}

function agreementOf(
  channel: Channel,
  revision: Revision,
  result: JsonObject,
  serverInfo: unknown,
): Agreement {
  const { capabilities, instructions } = result
  return {
    channel,
    revision,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    ...(isJsonObject(serverInfo) ? { serverInfo } : {}),
    ...(typeof instructions === 'string' ? { instructions } : {}),
  }
}

function newestMutual(era: 'legacy' | 'modern', supported: readonly string[]): Revision | undefined {
  return revisionsOf(era).findLast((revision) => supported.includes(revision))
}

function newest(revisions: readonly Revision[]): Revision {
  const last = revisions.at(-1)
  if (last === undefined) throw new Error('there is no revision of this era')
  return last
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function transportErrorIn(error: unknown): TransportError | undefined {
  if (error instanceof TransportError) return error
  return error instanceof RequestFailedError && error.cause instanceof TransportError
    ? error.cause
    : undefined
}

function isPlainRefusal(error: unknown): boolean {
  return transportErrorIn(error)?.code === 'http-status'
}

/** What is known of the HTTP reply that brought the server's error; nothing where it came over pipes. */
function answerEvidence({ bytes, httpStatus, httpHeaders }: PeerError): TransportEvidence {
  if (httpStatus === undefined) return {}
  return {
    httpStatus,
    ...(httpHeaders !== undefined && { httpHeaders }),
    httpBody: bodyEvidence(bytes),
  }
}

function codeOf(error: unknown): ConnectFailureCode {
  if (error instanceof VersionMismatch) return 'version-mismatch'
  if (error instanceof ProtocolError) {
    const isMismatch =
      error.code === ErrorCode.unsupportedProtocolVersion ||
      (isJsonObject(error.data) && Array.isArray(error.data['supported']))
    return isMismatch ? 'version-mismatch' : 'refused'
  }
  if (!(error instanceof RequestFailedError)) return 'cancelled'
  return error.code === 'timeout'
    ? 'timeout'
    : error.code === 'invalid-answer'
      ? 'invalid-answer'
      : 'cancelled'
}

function reasonOf(error: unknown): string {
  if (!(error instanceof ProtocolError)) return error instanceof Error ? error.message : String(error)
  const supported = isJsonObject(error.data) ? error.data['supported'] : undefined
  const list = isTextList(supported) ? `; it supports ${supported.join(', ')}` : ''
  return `the server refused the connection: ${error.message} (${error.code})${list}`
}
