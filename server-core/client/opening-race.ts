import { setImmediate as turn } from 'node:timers/promises'
import { durationText } from '../protocol/duration-text.ts'
import { ErrorCode } from '../protocol/errors.ts'
import type { Revision } from '../protocol/revisions.ts'
import { PeerError, type ProbeStep } from './errors.ts'
import { SettledPromise } from './settled-promise.ts'
import type { Agreement } from './handshake.ts'
import { reasonForFreshProcess, reasonOf } from './probe-failure.ts'

/** What `server/discover` has led to. */
export type Verdict =
  | { readonly type: 'modern'; readonly agreement: Agreement }
  | { readonly type: 'retry'; readonly revision: Revision }
  /** `fresh`: this connection cannot be used for the handshake. */
  | { readonly type: 'legacy'; readonly fresh: boolean; readonly because: unknown }

/** What the two openings have led to on one connection. */
export type RaceOutcome =
  | Exclude<Verdict, { readonly type: 'retry' }>
  /** The handshake was taken. `isSilent`: `server/discover` got no answer that can be used. */
  | { readonly type: 'shaken'; readonly agreement: Agreement; readonly isSilent: boolean }
  /** Both were taken: the server speaks the newer era, but not on this connection any more. */
  | { readonly type: 'taken' }
  /** The connection ended at the handshake, before anything else was asked. */
  | { readonly type: 'ended'; readonly because: unknown }

/** The two openings of one connection over which silence says nothing by itself. */
export type Openings = {
  /** Asks `server/discover`, with patience for both openings. */
  readonly discover: (signal: AbortSignal) => Promise<Exclude<Verdict, { readonly type: 'retry' }>>
  /**
   * Asks for the handshake. With `claims` it describes itself as a request of the newer era: a server that speaks
   * that refuses it, and the connection stays open to both; an old server knows nothing of such a claim.
   */
  readonly shake: (signal: AbortSignal, claims: boolean) => Promise<Agreement>
  readonly steps: { readonly discover: string; readonly shake: string }
  readonly note: (step: string, outcome: string, verdict: NonNullable<ProbeStep['verdict']>) => void
  /** After so long the second opening goes out beside the first. */
  readonly probeTimeoutMs: number
  readonly handshakeFirst: boolean
}

/**
 * Opens a connection whose server may be starting still. A process that is slow to start and one that does not know
 * the first opening are both silent, so the second goes out on the same connection while the first stays open: what is
 * answered decides, and an answer of the newer era wins. Throws what kept both from being answered.
 */
export async function raceOpenings(openings: Openings): Promise<RaceOutcome> {
  const { discover, shake, steps, note, probeTimeoutMs, handshakeFirst } = openings
  const over = new AbortController()
  const patience = durationText(probeTimeoutMs)
  try {
    if (!handshakeFirst) {
      const asked = new SettledPromise(discover(over.signal))
      await asked.within(probeTimeoutMs)
      if (asked.outcome !== undefined) return valueOf(asked.outcome)
      const why = 'it may be starting still, or be an old server'
      note(
        steps.discover,
        `no answer within ${patience}: ${why}; trying the handshake beside it, and what is answered decides`,
        'next',
      )
      return await decide(openings, asked, new SettledPromise(shake(over.signal, true)), over.signal)
    }
    const shaken = new SettledPromise(shake(over.signal, true))
    await shaken.within(probeTimeoutMs)
    if (shaken.outcome?.status === 'fulfilled') return taken(openings, shaken.outcome.value, true)
    if (shaken.outcome === undefined) {
      note(
        steps.shake,
        `no answer within ${patience}: it may be starting still; asking server/discover beside it`,
        'next',
      )
    } else if (reasonForFreshProcess(shaken.outcome.reason) !== undefined) {
      const why = reasonForFreshProcess(shaken.outcome.reason)
      note(
        steps.shake,
        `${reasonOf(shaken.outcome.reason)}; ${why}, so it is started again with server/discover first`,
        'next',
      )
      return { type: 'ended', because: shaken.outcome.reason }
    } else if (!(shaken.outcome.reason instanceof PeerError)) {
      note(steps.shake, reasonOf(shaken.outcome.reason), 'failed')
      throw shaken.outcome.reason
    }
    return await decide(openings, new SettledPromise(discover(over.signal)), shaken, over.signal)
  } finally {
    over.abort()
  }
}

type Asked = SettledPromise<Exclude<Verdict, { readonly type: 'retry' }>>

async function decide(
  openings: Openings,
  asked: Asked,
  shaken: SettledPromise<Agreement>,
  signal: AbortSignal,
): Promise<RaceOutcome> {
  const { steps, note, probeTimeoutMs } = openings
  if (shaken.outcome === undefined) await Promise.race([asked.settled, shaken.settled])
  // Answers that come together are looked at together.
  await turn()
  const refusal = refusalOf(shaken)
  if (refusal !== undefined && asked.outcome === undefined) {
    note(steps.shake, `${reasonOf(refusal)}; waiting for the answer to server/discover`, 'next')
    // A server that refuses what claims to be newer knows of newer revisions, and owes an answer to the question.
    await (MODERN_REFUSALS.has(refusal.code) ? asked.settled : asked.within(probeTimeoutMs))
  }
  if (asked.outcome === undefined) {
    if (refusal !== undefined) return shakePlainly(openings, asked, signal)
    if (shaken.outcome?.status === 'fulfilled') return taken(openings, shaken.outcome.value, true)
    note(steps.shake, reasonOf(shaken.outcome?.reason), 'failed')
    throw shaken.outcome?.reason
  }
  // If one is silent, the rejection of the other is the reason.
  if (asked.outcome.status === 'rejected') throw refusal ?? asked.outcome.reason
  const verdict = asked.outcome.value
  if (verdict.type === 'modern' || verdict.fresh) {
    await shaken.within(probeTimeoutMs)
    if (shaken.outcome?.status !== 'fulfilled') return verdict
    if (verdict.type === 'legacy') return taken(openings, shaken.outcome.value, true)
    note(
      steps.shake,
      'answered too, so this connection may be of the older revision; opening another for the newer',
      'next',
    )
    return { type: 'taken' }
  }
  await shaken.settled
  if (shaken.outcome?.status === 'fulfilled') return taken(openings, shaken.outcome.value, false)
  if (refusalOf(shaken) !== undefined) return verdict
  if (reasonForFreshProcess(shaken.outcome?.reason) !== undefined) return { ...verdict, fresh: true }
  throw shaken.outcome?.reason
}

/** The handshake as old servers know it, for one that minds what describes a newer request. */
async function shakePlainly(openings: Openings, asked: Asked, signal: AbortSignal): Promise<RaceOutcome> {
  const plain = new SettledPromise(openings.shake(signal, false))
  await plain.settled
  if (plain.outcome?.status === 'fulfilled') return taken(openings, plain.outcome.value, true)
  const refusal = plain.outcome?.reason as unknown
  openings.note(openings.steps.shake, reasonOf(refusal), 'failed')
  // All that can be waited for is the answer to the question.
  await asked.settled
  if (asked.outcome?.status === 'fulfilled' && asked.outcome.value.type === 'modern')
    return asked.outcome.value
  throw refusal
}

function taken({ steps, note }: Openings, agreement: Agreement, isSilent: boolean): RaceOutcome {
  note(steps.shake, `answered; the session speaks ${agreement.revision}`, 'agreed')
  return { type: 'shaken', agreement, isSilent }
}

function refusalOf({ outcome }: SettledPromise<Agreement>): PeerError | undefined {
  return outcome?.status === 'rejected' && outcome.reason instanceof PeerError ? outcome.reason : undefined
}

const MODERN_REFUSALS: ReadonlySet<number> = new Set([
  ErrorCode.methodNotFound,
  ErrorCode.unsupportedProtocolVersion,
])

function valueOf<Value>(outcome: PromiseSettledResult<Value>): Value {
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}
