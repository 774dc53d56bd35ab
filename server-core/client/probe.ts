import { ErrorCode } from '../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { Limits } from '../protocol/limits.ts'
import { MetaKey } from '../protocol/meta-keys.ts'
import { revisionRow, revisionsOf, type Revision } from '../protocol/revisions.ts'
import { TransportError } from '../ports/contract.ts'
import type { Open } from '../transports/opener.ts'
import { durationText } from '../protocol/duration-text.ts'
import { Channel, type Answer } from './channel.ts'
import { envelopeOf, withEnvelope, type Identity } from './envelope.ts'
import { ConnectError, PeerError, RequestFailedError, type ProbeStep } from './errors.ts'
import { SettledPromise } from './settled-promise.ts'
import { agreementOf, initialize, VersionMismatch, type Agreement } from './handshake.ts'
import { raceOpenings, type RaceOutcome, type Verdict } from './opening-race.ts'
import {
  answerEvidence,
  codeOf,
  hasEnded,
  isPlainRefusal,
  isTextList,
  mayBeOlderTransport,
  reasonForFreshProcess,
  reasonOf,
  transportErrorIn,
} from './probe-failure.ts'
import { ProbeMemory } from './probe-memory.ts'

export type ProbeOptions = {
  /** Makes a transport that was never used; a silent or dead process is replaced by a fresh one. */
  readonly open: Open
  readonly openOlder?: Open | undefined
  readonly identity: Identity
  readonly capabilities: JsonObject
  readonly protocol: 'auto' | Revision
  readonly limits: Limits
  readonly probeTimeoutMs: number
  readonly silenceMs: number
  readonly requestTimeoutMs: number
  readonly memory?: ProbeMemory | undefined
  readonly signal?: AbortSignal | undefined
  readonly onStep?: ((step: ProbeStep) => void) | undefined
}

/**
 * Finds out which revision a server speaks (versioning: backward compatibility): `server/discover` first, the
 * handshake if the server does not know that. An error answer leads to the handshake on the same connection. A process
 * that is silent may be starting still, so it is left running and asked for both (`opening-race.ts`), and after a while
 * another is asked beside it. One that ends is started again only if the opening may have ended it, and nothing that it
 * wrote says otherwise. Over HTTP only a 4xx counts as an old server: missing authorization, a failing server and a
 * failing network are reported as what they are. A server that refuses the handshake with a 4xx too is asked over the
 * older transport, if there is one at its address.
 */
export class Probe {
  readonly steps: ProbeStep[] = []
  readonly #options: ProbeOptions
  readonly #memory: ProbeMemory
  #channel: Channel | undefined

  constructor(options: ProbeOptions) {
    this.#options = options
    this.#memory = options.memory ?? new ProbeMemory()
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
    if (pinned === undefined && channel.transport.kind !== 'http') return this.#patiently(channel, modern)
    const verdict = await this.#ask(channel, modern)
    if (verdict.type === 'modern') return verdict.agreement
    const { because } = verdict
    if (pinned !== undefined) throw because
    try {
      return await this.#initialize(channel, newest(revisionsOf('legacy')))
    } catch (error) {
      // Over HTTP the first refusal says more about an address that is not a server at all than the last.
      throw isPlainRefusal(error) && isPlainRefusal(because) ? because : error
    }
  }

  /** Where a server may be starting still, and its silence is not an answer. */
  async #patiently(channel: Channel, modern: Revision): Promise<Agreement> {
    const memory = this.#memory
    const remembered = memory.handshakeFirst
    memory.handshakeFirst = false
    let current = channel
    let outcome = remembered
      ? await this.#race(current, modern, true)
      : await this.#raceOrReplace(current, modern)
    if (outcome.type === 'ended') {
      current = await this.#openFresh(current)
      outcome = await this.#race(current, modern, false)
      // The handshake was tried in a process of its own already.
      if (outcome.type === 'legacy' && outcome.fresh) throw outcome.because
    }
    switch (outcome.type) {
      case 'modern':
        return outcome.agreement
      case 'shaken':
        memory.handshakeFirst = outcome.isSilent
        return outcome.agreement
      case 'taken': {
        const verdict = await this.#ask(await this.#openFresh(current), modern)
        if (verdict.type === 'modern') return verdict.agreement
        throw verdict.because
      }
      case 'legacy':
        return this.#shakeAfter(current, outcome.fresh)
      case 'ended':
        throw outcome.because
    }
  }

  /** The handshake alone, after an answer to `server/discover` or its end. */
  async #shakeAfter(channel: Channel, fresh: boolean): Promise<Agreement> {
    const legacy = newest(revisionsOf('legacy'))
    let endsAtQuestions = fresh
    const agreement = await this.#initialize(fresh ? await this.#openFresh(channel) : channel, legacy).catch(
      async (error: unknown) => {
        // Some servers answer a question before the handshake, and end then.
        if (fresh || reasonForFreshProcess(error) === undefined) throw error
        endsAtQuestions = true
        return this.#initialize(await this.#openFresh(channel), legacy)
      },
    )
    this.#memory.handshakeFirst = endsAtQuestions
    return agreement
  }

  /**
   * A server that says nothing to both openings is starting still, or the first has made it deaf. After a while another
   * process is asked for the handshake alone while the first lives on, and the first that is taken decides.
   */
  async #raceOrReplace(channel: Channel, modern: Revision): Promise<RaceOutcome> {
    const { silenceMs } = this.#options
    const over = new AbortController()
    const signal = eitherOf(over.signal, this.#options.signal)
    const race = this.#race(channel, modern, false, signal)
    const followed = new SettledPromise(race)
    await followed.within(silenceMs)
    if (followed.outcome !== undefined) return race
    const legacy = newest(revisionsOf('legacy'))
    this.#record(
      handshakeStep(legacy),
      `no answer to either within ${durationText(silenceMs)}; asking another process for the handshake alone`,
      'next',
    )
    const other = await this.#open(this.#options.open).catch(() => undefined)
    if (other === undefined) {
      this.#channel = channel
      return race
    }
    try {
      const outcome = await Promise.any([race, this.#shakeAlone(other, legacy, signal)])
      // Whoever comes second has nothing more to say.
      over.abort()
      const isOther = 'agreement' in outcome && outcome.agreement.channel === other
      this.#channel = isOther ? other : channel
      await (isOther ? channel : other).close()
      return outcome
    } catch {
      // What kept the first from being answered counts.
      await other.close()
      this.#channel = channel
      return race
    }
  }

  async #shakeAlone(channel: Channel, revision: Revision, signal: AbortSignal): Promise<RaceOutcome> {
    return { type: 'shaken', agreement: await this.#initialize(channel, revision, signal), isSilent: true }
  }

  #race(
    channel: Channel,
    modern: Revision,
    handshakeFirst: boolean,
    signal = this.#options.signal,
  ): Promise<RaceOutcome> {
    const { identity, capabilities, requestTimeoutMs, probeTimeoutMs } = this.#options
    const revision = newest(revisionsOf('legacy'))
    return raceOpenings({
      discover: (over) => this.#ask(channel, modern, eitherOf(over, signal)),
      shake: (over, claims) =>
        initialize(channel, {
          revision,
          identity,
          capabilities,
          timeoutMs: requestTimeoutMs,
          ...(claims && { claims: modern }),
          signal: eitherOf(over, signal),
        }),
      steps: { discover: discoverStep(modern), shake: handshakeStep(revision) },
      note: (step, outcome, verdict) => this.#record(step, outcome, verdict),
      probeTimeoutMs: Math.min(probeTimeoutMs, requestTimeoutMs),
      handshakeFirst,
    })
  }

  /** Sends `server/discover`, and again if the server names another supported revision. */
  async #ask(
    channel: Channel,
    modern: Revision,
    signal?: AbortSignal,
  ): Promise<Exclude<Verdict, { readonly type: 'retry' }>> {
    const first = await this.#discover(channel, modern, signal)
    const verdict =
      first.type === 'retry' ? await this.#discover(channel, first.revision, signal, true) : first
    if (verdict.type === 'retry') throw new VersionMismatch('the server names one revision after the other')
    return verdict
  }

  /** HTTP+SSE at the same address (2025-03-26, transports: backwards compatibility; deprecated). */
  async #older(openOlder: Open, revision: Revision, first: unknown): Promise<Agreement> {
    await this.#channel?.close()
    let channel: Channel
    try {
      channel = await this.#open(openOlder)
    } catch (error) {
      this.#record('HTTP+SSE', `${reasonOf(error)}; the first refusal counts`, 'failed')
      throw transportErrorIn(error)?.code === 'unauthorized' ? error : first
    }
    this.#record('HTTP+SSE', 'the server names an endpoint on an event stream; it is of 2024-11-05', 'next')
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

  async #discover(
    channel: Channel,
    revision: Revision,
    signal = this.#options.signal,
    isRetry = false,
  ): Promise<Verdict> {
    const { identity, capabilities, protocol, probeTimeoutMs, requestTimeoutMs } = this.#options
    const isHttp = channel.transport.kind === 'http'
    const step = discoverStep(revision)
    try {
      const answer = await channel.request({
        method: 'server/discover',
        params: withEnvelope(undefined, envelopeOf(revision, identity, capabilities)),
        revision,
        // A handshake that goes out beside it later has its time first.
        timeoutMs: isHttp || protocol !== 'auto' ? requestTimeoutMs : 2 * probeTimeoutMs + requestTimeoutMs,
        maximumMs: Infinity,
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
      this.#record(
        step,
        'answered without supportedVersions, so it is not an answer of 2026-07-28; trying the handshake',
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
    this.#record(step, `answered; the newest revision of both is ${mutual}`, 'agreed')
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
      this.#record(step, `refused: ${said}; it supports ${supported.join(', ')}`, isRetry ? 'failed' : 'next')
      if (isRetry) throw error
      return { type: 'retry', revision: mutual }
    }
    const isModernRefusal =
      error.code === ErrorCode.headerMismatch || error.code === ErrorCode.missingClientCapability
    if (isModernRefusal || (status !== undefined && (status >= 500 || status === 429))) {
      this.#record(step, `refused: ${said}; this says nothing about older revisions`, 'failed')
      throw error
    }
    this.#record(step, `error ${said}; trying the handshake`, 'next')
    return { type: 'legacy', fresh: false, because: error }
  }

  #readSilence(step: string, error: RequestFailedError, isHttp: boolean): Verdict {
    if (error.code === 'cancelled') throw error
    const { cause } = error
    if (!isHttp && (error.code === 'timeout' || this.#options.protocol !== 'auto')) {
      this.#record(step, reasonOf(error), 'failed')
      throw error
    }
    if (!isHttp) {
      const isProcess = this.#channel?.transport.kind === 'stdio'
      const why = isProcess && hasEnded(error) ? reasonForFreshProcess(error) : ''
      if (why === undefined) {
        this.#record(step, `${reasonOf(error)}; not started again, as its output says why`, 'failed')
        throw error
      }
      const because = why === '' ? '' : ` (${why})`
      const place = isProcess ? 'process' : 'connection'
      this.#record(step, `${reasonOf(error)}; trying the handshake with a fresh ${place}${because}`, 'next')
      return { type: 'legacy', fresh: true, because: error }
    }
    const status =
      cause instanceof TransportError && cause.code === 'http-status' ? cause.evidence.httpStatus : undefined
    if (status !== undefined && status >= 400 && status < 500 && status !== 429) {
      this.#record(step, `${reasonOf(error)}; trying the handshake`, 'next')
      return { type: 'legacy', fresh: false, because: error }
    }
    this.#record(step, `${reasonOf(error)}; this says nothing about the revision`, 'failed')
    throw error
  }

  /** A modern server with no revision in common; it may still list an older one that is. */
  #withoutModern(step: string, asked: Revision | undefined, supported: readonly string[]): Verdict {
    const theirs = supported.length === 0 ? 'none' : supported.join(', ')
    const ours = [...revisionsOf('legacy'), ...revisionsOf('modern')].join(', ')
    const mismatch = `no revision in common: the server supports ${theirs}; this client ${ours}`
    if (newestMutual('legacy', supported) !== undefined && asked !== this.#options.protocol) {
      this.#record(step, `supports ${theirs}; trying the handshake`, 'next')
      return { type: 'legacy', fresh: false, because: new VersionMismatch(mismatch) }
    }
    this.#record(step, mismatch, 'failed')
    throw new VersionMismatch(mismatch)
  }

  async #initialize(channel: Channel, revision: Revision, signal = this.#options.signal): Promise<Agreement> {
    const { identity, capabilities, requestTimeoutMs } = this.#options
    const step = handshakeStep(revision)
    try {
      const agreement = await initialize(channel, {
        revision,
        identity,
        capabilities,
        timeoutMs: requestTimeoutMs,
        isPinned: this.#options.protocol !== 'auto',
        signal,
      })
      this.#record(step, `answered; the session speaks ${agreement.revision}`, 'agreed')
      return agreement
    } catch (error) {
      // What another process has decided meanwhile did not fail.
      if (signal === this.#options.signal || signal?.aborted !== true) {
        this.#record(step, reasonOf(error), 'failed')
      }
      throw error
    }
  }

  #record(step: string, outcome: string, verdict: NonNullable<ProbeStep['verdict']>): void {
    const transport = this.#channel?.transport.kind
    const recorded: ProbeStep = { step, outcome, verdict, ...(transport === undefined ? {} : { transport }) }
    this.steps.push(recorded)
    this.#options.onStep?.(recorded)
  }

  #failure(error: unknown): ConnectError {
    const transport = transportErrorIn(error)
    const evidence = {
      ...this.#channel?.transport.evidence(),
      ...transport?.evidence,
      ...(error instanceof PeerError && answerEvidence(error)),
    }
    // Ending a stubborn process takes seconds; the cause is reported immediately.
    const ended = this.#channel?.close() ?? Promise.resolve()
    const details = { steps: [...this.steps], evidence, ended, cause: error }
    if (transport !== undefined && !(error instanceof RequestFailedError && error.code === 'cancelled')) {
      return new ConnectError(transport.code, transport.message, details)
    }
    return new ConnectError(codeOf(error), reasonOf(error), details)
  }
}

function newestMutual(era: 'legacy' | 'modern', supported: readonly string[]): Revision | undefined {
  return revisionsOf(era).findLast((revision) => supported.includes(revision))
}

function eitherOf(one: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other === undefined ? one : AbortSignal.any([one, other])
}

function discoverStep(revision: Revision): string {
  return `server/discover (${revision})`
}

function handshakeStep(revision: Revision): string {
  return `initialize (${revision})`
}

function newest(revisions: readonly Revision[]): Revision {
  const last = revisions.at(-1)
  if (last === undefined) throw new Error('there is no revision of this era')
  return last
}
