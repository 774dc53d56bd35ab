import { ErrorCode, ProtocolError } from '../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { Limits } from '../protocol/limits.ts'
import { MetaKey } from '../protocol/meta-keys.ts'
import { handshakeRow, revisionRow, revisionsOf, type Revision } from '../protocol/revisions.ts'
import { bodyEvidence } from '../transports/body-evidence.ts'
import { TransportError, type TransportEvidence } from '../transports/contract.ts'
import type { Open } from '../transports/opener.ts'
import { Channel, type Answer } from './channel.ts'
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
  readonly open: Open
  readonly openOlder?: Open | undefined
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
  /** What `server/discover` was answered with, where that led to the revision. */
  readonly discovery?: Answer
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
 * authorization, a failing server and a failing network are told as what they are. A server that refuses the handshake
 * with a 4xx too is asked over the older transport, if there is one at its address.
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
      return await this.#find()
    } catch (error) {
      throw this.#failure(error)
    }
  }

  async #find(): Promise<Agreement> {
    const { protocol, open, openOlder } = this.#options
    const pinned = protocol === 'auto' ? undefined : protocol
    const isModernPinned = pinned !== undefined && revisionRow(pinned)?.era === 'modern'
    const legacy = pinned !== undefined && !isModernPinned ? pinned : newest(revisionsOf('legacy'))
    const channel = await this.#open(open)
    if (channel.transport.kind === 'sse') {
      if (isModernPinned)
        throw new VersionMismatch(`HTTP+SSE carries no ${pinned}: it opens with a handshake`)
      return this.#initialize(channel, legacy)
    }
    try {
      if (pinned === legacy) return await this.#initialize(channel, legacy)
      return await this.#probe(channel, pinned)
    } catch (error) {
      if (openOlder === undefined || isModernPinned || !mayBeOlderTransport(error)) throw error
      return this.#older(openOlder, legacy, error)
    }
  }

  async #probe(channel: Channel, pinned: Revision | undefined): Promise<Agreement> {
    const modern = pinned ?? newest(revisionsOf('modern'))
    let verdict = await this.#discover(channel, modern)
    if (verdict.type === 'retry') verdict = await this.#discover(channel, verdict.revision, true)
    if (verdict.type === 'modern') return verdict.agreement
    const because = verdict.type === 'legacy' ? verdict.because : undefined
    if (pinned !== undefined) throw because
    const fresh = verdict.type === 'legacy' && verdict.fresh
    const legacy = newest(revisionsOf('legacy'))
    try {
      return await this.#initialize(fresh ? await this.#openFresh(channel) : channel, legacy)
    } catch (error) {
      // A server that was only slow to start refuses the handshake if it knows no legacy revision.
      if (fresh && error instanceof PeerError && this.#channel !== undefined)
        return this.#probeSlow(this.#channel, modern, error)
      // Some servers answer a question before the handshake, and end then.
      if (!fresh && hasEnded(error)) return this.#initialize(await this.#openFresh(channel), legacy)
      // Over HTTP the first refusal says more about an address that is no server at all than the last.
      throw isPlainRefusal(error) && isPlainRefusal(because) ? because : error
    }
  }

  /** Asks a server for its revisions once more that was silent at first and refused the handshake then. */
  async #probeSlow(channel: Channel, modern: Revision, refused: PeerError): Promise<Agreement> {
    const verdict = await this.#discover(channel, modern, true).catch(() => undefined)
    if (verdict?.type === 'modern') return verdict.agreement
    throw refused
  }

  /** HTTP+SSE at the same address (2025-03-26, transports: backwards compatibility; deprecated). */
  async #older(openOlder: Open, revision: Revision, first: unknown): Promise<Agreement> {
    await this.#channel?.close()
    let channel: Channel
    try {
      channel = await this.#open(openOlder)
    } catch (error) {
      this.#note('HTTP+SSE', `${reasonOf(error)}; the first refusal counts`, 'failed')
      throw transportErrorIn(error)?.code === 'unauthorized' ? error : first
    }
    this.#note('HTTP+SSE', 'the server names an endpoint on an event stream; it is of 2024-11-05', 'next')
    return this.#initialize(channel, revision)
  }

  async #openFresh(old: Channel): Promise<Channel> {
    await old.close()
    return this.#open(this.#options.open)
  }

  async #open(open: Open): Promise<Channel> {
    const { signal, limits } = this.#options
    signal?.throwIfAborted()
    const channel = new Channel(await open(), limits)
    this.#channel = channel
    const giveUp = (): void => void channel.close()
    signal?.addEventListener('abort', giveUp, { once: true })
    try {
      await channel.start()
    } finally {
      signal?.removeEventListener('abort', giveUp)
    }
    signal?.throwIfAborted()
    return channel
  }

  async #discover(channel: Channel, revision: Revision, isRetry = false): Promise<Verdict> {
    const { identity, capabilities, protocol, probeTimeoutMs, requestTimeoutMs, signal } = this.#options
    // A process may be slow to start: it gets time where its silence would lead nowhere else.
    const isLast = isRetry || protocol !== 'auto'
    const isHttp = channel.transport.kind === 'http'
    const step = `server/discover (${revision})`
    try {
      const answer = await channel.request({
        method: 'server/discover',
        params: withEnvelope(undefined, envelopeOf(revision, identity, capabilities)),
        revision,
        timeoutMs: isHttp || isLast ? requestTimeoutMs : Math.min(probeTimeoutMs, requestTimeoutMs),
        ceilingMs: Infinity,
        cancellation: isHttp ? 'hang-up' : 'none',
        signal,
      })
      return this.#readDiscovery(channel, step, revision, answer)
    } catch (error) {
      if (error instanceof PeerError) return this.#readDiscoverError(step, error, isRetry)
      if (error instanceof RequestFailedError) return this.#readSilence(step, error, isHttp)
      throw error
    }
  }

  #readDiscovery(channel: Channel, step: string, revision: Revision, answer: Answer): Verdict {
    const { result } = answer
    const supported = result['supportedVersions']
    if (!isTextList(supported)) {
      this.#note(
        step,
        'answered without supportedVersions, so it is no answer of 2026-07-28; trying the handshake',
        'next',
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
    this.#note(step, `answered; the newest revision of both is ${mutual}`, 'agreed')
    const meta = isJsonObject(result['_meta']) ? result['_meta'] : {}
    const serverInfo = meta[MetaKey.serverInfo]
    const agreement = agreementOf(channel, mutual, result, serverInfo)
    return { type: 'modern', agreement: { ...agreement, discovery: answer } }
  }

  #readDiscoverError(step: string, error: PeerError, isRetry: boolean): Verdict {
    const status = error.httpStatus
    const said = `${error.message} (${error.code})`
    const supported = isJsonObject(error.data) ? error.data['supported'] : undefined
    if (error.code === ErrorCode.unsupportedProtocolVersion && isTextList(supported)) {
      const mutual = newestMutual('modern', supported)
      if (mutual === undefined) return this.#withoutModern(step, undefined, supported)
      this.#note(step, `refused: ${said}; it supports ${supported.join(', ')}`, isRetry ? 'failed' : 'next')
      if (isRetry) throw error
      return { type: 'retry', revision: mutual }
    }
    const isModernRefusal =
      error.code === ErrorCode.headerMismatch || error.code === ErrorCode.missingClientCapability
    if (isModernRefusal || (status !== undefined && (status >= 500 || status === 429))) {
      this.#note(step, `refused: ${said}; this says nothing about older revisions`, 'failed')
      throw error
    }
    this.#note(step, `error ${said}; trying the handshake`, 'next')
    return { type: 'legacy', fresh: false, because: error }
  }

  #readSilence(step: string, error: RequestFailedError, isHttp: boolean): Verdict {
    if (error.code === 'cancelled') throw error
    const { cause } = error
    if (!isHttp) {
      const place = this.#channel?.transport.kind === 'stdio' ? 'process' : 'connection'
      this.#note(step, `${reasonOf(error)}; trying the handshake with a fresh ${place}`, 'next')
      return { type: 'legacy', fresh: true, because: error }
    }
    const status =
      cause instanceof TransportError && cause.code === 'http-status' ? cause.evidence.httpStatus : undefined
    if (status !== undefined && status >= 400 && status < 500 && status !== 429) {
      this.#note(step, `${reasonOf(error)}; trying the handshake`, 'next')
      return { type: 'legacy', fresh: false, because: error }
    }
    this.#note(step, `${reasonOf(error)}; this says nothing about the revision`, 'failed')
    throw error
  }

  /** A modern server with no revision in common; it may still list an older one that is. */
  #withoutModern(step: string, asked: Revision | undefined, supported: readonly string[]): Verdict {
    const theirs = supported.length === 0 ? 'none' : supported.join(', ')
    const ours = [...revisionsOf('legacy'), ...revisionsOf('modern')].join(', ')
    const mismatch = `no revision in common: the server supports ${theirs}; this client ${ours}`
    if (newestMutual('legacy', supported) !== undefined && asked !== this.#options.protocol) {
      this.#note(step, `supports ${theirs}; trying the handshake`, 'next')
      return { type: 'legacy', fresh: false, because: new VersionMismatch(mismatch) }
    }
    this.#note(step, mismatch, 'failed')
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
        isPinned: this.#options.protocol !== 'auto',
        signal,
      })
      this.#note(step, `answered; the session speaks ${agreement.revision}`, 'agreed')
      return agreement
    } catch (error) {
      this.#note(step, reasonOf(error), 'failed')
      throw error
    }
  }

  #note(step: string, outcome: string, verdict: NonNullable<ProbeStep['verdict']>): void {
    const transport = this.#channel?.transport.kind
    const noted: ProbeStep = { step, outcome, verdict, ...(transport === undefined ? {} : { transport }) }
    this.steps.push(noted)
    this.#options.onStep?.(noted)
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
  /** No other revision will do. */
  readonly isPinned?: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * The handshake of the legacy revisions (lifecycle: initialization), `notifications/initialized` included. Throws if
 * the server answers with a revision this client does not speak.
 */
export async function initialize(channel: Channel, handshake: Handshake): Promise<Agreement> {
  const { revision, identity, capabilities, timeoutMs, isPinned = false, signal } = handshake
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
  if (isPinned && row.revision !== revision) {
    throw new VersionMismatch(
      `the server answered ${row.revision}, but ${revision} is insisted on; let the revision be found, or insist on ${row.revision}`,
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

/** The process or connection ended by itself, so that a fresh one may do better. */
function hasEnded(error: unknown): boolean {
  return error instanceof RequestFailedError && error.code === 'closed'
}

/** A refusal of the handshake with a status that an HTTP+SSE server gives where it takes no POST. */
function mayBeOlderTransport(error: unknown): boolean {
  const transport = transportErrorIn(error)
  const status = error instanceof PeerError ? error.httpStatus : transport?.evidence.httpStatus
  if (transport !== undefined && transport.code !== 'http-status') return false
  return status !== undefined && status >= 400 && status < 500 && !NO_EVIDENCE.has(status)
}

/** Authorization, a time limit and a rate limit say nothing about what is spoken. */
const NO_EVIDENCE: ReadonlySet<number> = new Set([401, 403, 408, 429])

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
