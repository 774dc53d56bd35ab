import type { RecordedCall, RecordedOutcome } from '../../comparison/recorded-calls.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { stringifyExact } from '../../protocol/exact-json.ts'
import { MASKED_SECRET } from '../../capture/redaction.ts'
import { revisionRow, type Revision } from '../../protocol/revisions.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'

/** A request or notification of the client that is sent again. */
export type PlannedCall = {
  readonly call: RecordedCall
  /** So many answers had come before it was sent; it waits for the same ones. */
  readonly answersBefore: number
}

/** A question of the server with the answer that the client gave, if it gave one. */
export type RecordedQuestion = {
  readonly method: string
  readonly params: JsonObject
  readonly outcome: RecordedOutcome
}

/** A call of the client that is not sent again. */
export type SkippedCall = { readonly call: RecordedCall; readonly reason: string }

/** What a client did in a recording, ready to be done again. */
export type ReplayPlan = {
  readonly calls: readonly PlannedCall[]
  /** Places of `calls`, in the order in which they were answered. */
  readonly answered: readonly number[]
  readonly questions: readonly RecordedQuestion[]
  readonly skipped: readonly SkippedCall[]
  /** How the client introduced itself; missing if the recording has no handshake. */
  readonly client?: {
    readonly revision: Revision
    readonly identity?: JsonObject & { readonly name: string; readonly version: string }
    readonly capabilities: JsonObject
  }
}

/** Requests and notifications that open a connection: every connection sends its own. */
const OPENING: ReadonlySet<string> = new Set(['initialize', 'notifications/initialized', 'server/discover'])
/** Notifications that a client sends by itself. `notifications/cancelled` ends the request that it names. */
const SENT_AGAIN: ReadonlySet<string> = new Set([
  'notifications/roots/list_changed',
  'notifications/cancelled',
])

/** Returns whether a request or notification only opens a connection. */
export function opensConnection({ method }: RecordedCall): boolean {
  return OPENING.has(method)
}

/**
 * Plans the replay of a client's side: what is sent, after which answers, and how the server's questions are answered.
 * Rounds of one request (2026-07-28, `input_required`) are one call.
 */
export function replayPlan(recorded: readonly RecordedCall[]): ReplayPlan {
  const calls: { call: RecordedCall; answersBefore: number }[] = []
  const skipped: SkippedCall[] = []
  const questions = recorded.flatMap((call) => questionOf(call))
  for (const call of recorded) {
    if (call.direction !== 'sent' || opensConnection(call)) continue
    if (isLaterRound(call)) {
      questions.push(...answeredInRound(call, recorded))
      continue
    }
    const reason = reasonToSkip(call)
    if (reason === undefined) calls.push({ call, answersBefore: 0 })
    else skipped.push({ call, reason })
  }
  const answered = calls
    .map(({ call }, place) => ({ place, frame: call.answerFrame }))
    .filter((each): each is { place: number; frame: number } => each.frame !== undefined)
    .sort((one, other) => one.frame - other.frame)
  let before = 0
  for (const planned of calls) {
    while ((answered[before]?.frame ?? Infinity) < planned.call.frame) before += 1
    planned.answersBefore = before
  }
  const client = clientOf(recorded)
  return {
    calls,
    answered: answered.map(({ place }) => place),
    questions,
    skipped,
    ...(client !== undefined && { client }),
  }
}

/** Returns whether a request goes on with one that the server answered with questions. */
export function isLaterRound({ params }: RecordedCall): boolean {
  return 'inputResponses' in params || 'requestState' in params
}

function reasonToSkip({ kind, method, params }: RecordedCall): string | undefined {
  if (kind === 'notification' && !SENT_AGAIN.has(method)) return 'the connection sends its own'
  if (stringifyExact(params).includes(MASKED_SECRET))
    return `its parameters contain a secret that was masked when it was recorded (${MASKED_SECRET})`
  return undefined
}

/** A question that was a request of its own. */
function questionOf({ direction, kind, method, params, outcome }: RecordedCall): RecordedQuestion[] {
  if (direction !== 'received' || kind !== 'request' || method === 'ping') return []
  return [{ method, params, outcome }]
}

/** The questions of the round before, with the answers that a round brings. */
function answeredInRound(round: RecordedCall, recorded: readonly RecordedCall[]): RecordedQuestion[] {
  const { inputResponses, requestState } = round.params
  const asking = recorded.findLast(
    (call) =>
      (call.answerFrame ?? Infinity) < round.frame &&
      call.method === round.method &&
      call.target === round.target &&
      isJsonObject(call.outcome.type === 'result' ? call.outcome.value : undefined) &&
      resultOf(call)['requestState'] === requestState,
  )
  if (asking === undefined || !isJsonObject(inputResponses)) return []
  const { inputRequests } = resultOf(asking)
  return Object.entries(inputResponses).flatMap(([key, value]): RecordedQuestion[] => {
    const question = isJsonObject(inputRequests) ? inputRequests[key] : undefined
    if (!isJsonObject(question) || typeof question['method'] !== 'string') return []
    const { method, params } = question
    return [{ method, params: isJsonObject(params) ? params : {}, outcome: { type: 'result', value } }]
  })
}

function resultOf({ outcome }: RecordedCall): JsonObject {
  return outcome.type === 'result' && isJsonObject(outcome.value) ? outcome.value : {}
}

function clientOf(recorded: readonly RecordedCall[]): ReplayPlan['client'] {
  const opening = recorded.find(({ method, outcome }) => method === 'initialize' && outcome.type === 'result')
  if (opening !== undefined) {
    const revision = revisionNamed(resultOf(opening)['protocolVersion'])
    return revision && introduced(revision, opening.params['clientInfo'], opening.params['capabilities'])
  }
  for (const { direction, params } of recorded) {
    const meta = params['_meta']
    if (direction !== 'sent' || !isJsonObject(meta)) continue
    const revision = revisionNamed(meta[MetaKey.protocolVersion])
    if (revision !== undefined)
      return introduced(revision, meta[MetaKey.clientInfo], meta[MetaKey.clientCapabilities])
  }
  return undefined
}

function revisionNamed(version: unknown): Revision | undefined {
  return typeof version === 'string' ? revisionRow(version)?.revision : undefined
}

function introduced(revision: Revision, identity: unknown, capabilities: unknown): ReplayPlan['client'] {
  return {
    revision,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    ...(isIdentity(identity) && { identity }),
  }
}

function isIdentity(
  value: unknown,
): value is JsonObject & { readonly name: string; readonly version: string } {
  return isJsonObject(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string'
}
