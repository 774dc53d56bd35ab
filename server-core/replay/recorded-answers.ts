import type { RecordedCall, RecordedOutcome } from '../comparison/recorded-calls.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { isLogLevel } from '../protocol/log-level.ts'
import type { Emission, Question } from '../registry/invocation.ts'

/** What a server did before it answered, `afterMs` milliseconds behind what came before. */
export type RecordedStep =
  | { readonly type: 'emit'; readonly afterMs: number; readonly emission: Emission }
  | { readonly type: 'ask'; readonly afterMs: number; readonly questions: readonly Question[] }

/** A call of a recording with all that its server sent for it. */
export type RecordedAnswer = {
  readonly call: RecordedCall
  readonly steps: readonly RecordedStep[]
  readonly outcome: Exclude<RecordedOutcome, { type: 'none' }>
  /** Milliseconds from the last step to the answer. */
  readonly afterMs: number
}

/** Calls that are answered by what was recorded. */
const REPLAYED = new Set(['tools/call', 'resources/read', 'prompts/get', 'completion/complete'])

/**
 * The answered calls of a recording with what belongs to each. Of requests and messages that the server sent by itself,
 * those belong to a call that came while it was the newest one that waited; progress belongs to the call of its token.
 * Rounds of one call (2026-07-28, `input_required`) are one call that asks.
 */
export function recordedAnswers(calls: readonly RecordedCall[]): RecordedAnswer[] {
  const answers: RecordedAnswer[] = []
  const retried = new Set<RecordedCall>()
  const owners = ownersOf(calls)
  for (const call of calls) {
    if (call.direction !== 'sent' || !REPLAYED.has(call.method) || retried.has(call)) continue
    const steps: RecordedStep[] = []
    let round = call
    let since = call.at
    for (;;) {
      for (const sent of owners.get(round) ?? []) {
        const step = stepOf(sent, sent.at - since, steps.length)
        if (step === undefined) continue
        steps.push(step)
        since = sent.at
      }
      const questions = questionsOf(round.outcome)
      const next = questions && retryOf(round, calls, retried)
      if (questions === undefined || next === undefined) break
      const answeredAt = round.at + (round.durationMs ?? 0)
      steps.push({ type: 'ask', afterMs: Math.max(0, answeredAt - since), questions })
      retried.add(next)
      round = next
      since = next.at
    }
    const { outcome } = round
    if (outcome.type === 'none' || questionsOf(outcome) !== undefined) continue
    const afterMs = Math.max(0, round.at + (round.durationMs ?? 0) - since)
    answers.push({ call, steps, outcome, afterMs })
  }
  return answers
}

/** What the server sent, by the call that it belongs to. */
function ownersOf(calls: readonly RecordedCall[]): ReadonlyMap<RecordedCall, readonly RecordedCall[]> {
  const owned = new Map<RecordedCall, RecordedCall[]>()
  let open: RecordedCall[] = []
  for (const call of calls) {
    open = open.filter(({ answerFrame }) => answerFrame === undefined || answerFrame > call.frame)
    if (call.direction === 'sent') {
      if (call.kind === 'request' && REPLAYED.has(call.method)) open.push(call)
      continue
    }
    const token = call.method === 'notifications/progress' ? call.params['progressToken'] : undefined
    const owner =
      token === undefined ? open.at(-1) : open.find(({ params }) => progressTokenOf(params) === token)
    if (owner !== undefined) owned.set(owner, [...(owned.get(owner) ?? []), call])
  }
  return owned
}

function progressTokenOf({ _meta }: JsonObject): unknown {
  return isJsonObject(_meta) ? _meta['progressToken'] : undefined
}

function stepOf(
  { kind, method, params }: RecordedCall,
  passed: number,
  number: number,
): RecordedStep | undefined {
  const afterMs = Math.max(0, passed)
  if (kind === 'request') {
    if (method === 'ping') return undefined
    return { type: 'ask', afterMs, questions: [{ key: `q${number}`, method, params: withoutMeta(params) }] }
  }
  const emission = emissionOf(method, params)
  return emission && { type: 'emit', afterMs, emission }
}

function emissionOf(method: string, params: JsonObject): Emission | undefined {
  if (method === 'notifications/progress') {
    const { progress, total, message } = params
    if (typeof progress !== 'number') return undefined
    return {
      type: 'progress',
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message }),
    }
  }
  if (method !== 'notifications/message') return undefined
  const { level, data, logger } = params
  if (!isLogLevel(level)) return undefined
  return { type: 'log', level, data, ...(typeof logger === 'string' && { logger }) }
}

/** The questions of an answer that asks for input; undefined for any other answer. */
function questionsOf(outcome: RecordedOutcome): readonly Question[] | undefined {
  if (outcome.type !== 'result' || !isJsonObject(outcome.value)) return undefined
  const { resultType, inputRequests } = outcome.value
  if (resultType !== 'input_required') return undefined
  return Object.entries(isJsonObject(inputRequests) ? inputRequests : {}).flatMap(([key, question]) => {
    if (!isJsonObject(question) || typeof question['method'] !== 'string') return []
    const { method, params } = question
    return [{ key, method, params: isJsonObject(params) ? withoutMeta(params) : {} }]
  })
}

/** The next round of a call: the request that brings the state back which its answer had, or its answers. */
function retryOf(
  round: RecordedCall,
  calls: readonly RecordedCall[],
  taken: ReadonlySet<RecordedCall>,
): RecordedCall | undefined {
  const value = round.outcome.type === 'result' ? round.outcome.value : undefined
  const state = isJsonObject(value) ? value['requestState'] : undefined
  return calls.find(
    (call) =>
      call.frame > (round.answerFrame ?? Infinity) &&
      call.method === round.method &&
      call.target === round.target &&
      !taken.has(call) &&
      ('inputResponses' in call.params || 'requestState' in call.params) &&
      call.params['requestState'] === state,
  )
}

function withoutMeta({ _meta, ...params }: JsonObject): JsonObject {
  return params
}
