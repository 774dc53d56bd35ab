import { stringifyExact } from '../protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { RecordedCall, RecordedOutcome } from '../comparison/recorded-calls.ts'
import {
  isLaterRound,
  opensConnection,
  replayPlan,
  type RecordedQuestion,
} from '../replay/client-side/replay-plan.ts'
import { recordedAnswers } from '../replay/recorded-answers.ts'
import { placesOfValues, type ValuePlace } from './returned-places.ts'

/** A request of a recording that a test sends again. */
export type TestedCall = {
  readonly call: RecordedCall
  readonly outcome: Exclude<RecordedOutcome, { type: 'none' }>
  /** What the server asked before it answered, with the answers of the client. */
  readonly questions: readonly RecordedQuestion[]
  /** Values that an earlier call of the same test returned. */
  readonly values: readonly ReturnedValue[]
}

/** A value that a call returned and this one sends. */
export type ReturnedValue = {
  readonly from: RecordedCall
  readonly value: string
  readonly place: ValuePlace
}

/** Calls of one test, in their order: a single one unless later ones send what earlier ones returned. */
export type CallGroup = readonly TestedCall[]

/** Requests that have a method of the test client or a plain result. */
const TESTED = new Set([
  'tools/call',
  'tools/list',
  'resources/read',
  'resources/list',
  'resources/templates/list',
  'prompts/get',
  'prompts/list',
  'completion/complete',
])

export type TestedCalls = {
  readonly groups: readonly CallGroup[]
  /** Requests of the client that no test sends, with the reason. */
  readonly left: readonly { readonly call: RecordedCall; readonly reason: string }[]
}

/**
 * Chooses what is tested of a recording. Calls that repeat an earlier one, with the same outcome, are left out.
 *
 * @param inOneTest keeps all calls in one test, in their order
 */
export function testedCalls(calls: readonly RecordedCall[], inOneTest: boolean): TestedCalls {
  const plan = replayPlan(calls)
  const skipped = new Map(plan.skipped.map(({ call, reason }) => [call, reason]))
  const answers = new Map(recordedAnswers(calls).map((answer) => [answer.call, answer]))
  const questions = new QuestionPool(plan.questions)
  const seen = new Set<string>()
  const tested: TestedCall[] = []
  const left: { call: RecordedCall; reason: string }[] = []
  for (const call of calls) {
    if (call.direction !== 'sent' || call.kind !== 'request' || opensConnection(call) || isLaterRound(call))
      continue
    const reason = skipped.get(call) ?? reasonToLeave(call)
    const answer = answers.get(call)
    const outcome = answer?.outcome ?? call.outcome
    if (reason !== undefined || outcome.type === 'none') {
      left.push({ call, reason: reason ?? 'it was not answered' })
      continue
    }
    const asked = (answer?.steps ?? []).flatMap((step) => (step.type === 'ask' ? step.questions : []))
    const own = asked.flatMap((question) => questions.take(question) ?? [])
    const key = `${call.key} ${stringifyExact(outcome)}`
    if (seen.has(key) && !inOneTest) continue
    seen.add(key)
    tested.push({ call, outcome, questions: own, values: valuesFrom(tested, call) })
  }
  return { groups: inOneTest ? (tested.length > 0 ? [tested] : []) : grouped(tested), left }
}

function reasonToLeave({ method, params }: RecordedCall): string | undefined {
  if (!TESTED.has(method)) return `tests have no expectation for ${method}`
  if (isJsonObject(params['task'])) return 'it ran as a task'
  if (typeof params['cursor'] === 'string') return 'the test client reads all pages'
  return undefined
}

/** Questions with the answers of the client, each used once. */
class QuestionPool {
  readonly #left: RecordedQuestion[]

  constructor(questions: readonly RecordedQuestion[]) {
    this.#left = [...questions]
  }

  take({
    method,
    params,
  }: {
    readonly method: string
    readonly params: JsonObject
  }): RecordedQuestion | undefined {
    const wanted = textOf(params)
    const place = this.#left.findIndex((each) => each.method === method && textOf(each.params) === wanted)
    return place < 0 ? undefined : this.#left.splice(place, 1)[0]
  }
}

function textOf({ _meta, ...params }: JsonObject): string {
  return stringifyExact(params)
}

/** The values that earlier calls returned and this one sends; each is that of the first call that returned it. */
function valuesFrom(earlier: readonly TestedCall[], call: RecordedCall): ReturnedValue[] {
  const { _meta, ...params } = call.params
  const found: ReturnedValue[] = []
  for (const { call: from, outcome } of earlier) {
    if (outcome.type !== 'result') continue
    for (const { value, place } of placesOfValues(outcome.value, params))
      if (!found.some((known) => known.value === value) && !isSentBy(earlier, from, value))
        found.push({ from, value, place })
  }
  return found
}

/** The client knew the value by itself: it, or a call before it, sent the value that it returned. */
function isSentBy(earlier: readonly TestedCall[], from: RecordedCall, value: string): boolean {
  return earlier.some(({ call }) => call.frame <= from.frame && stringifyExact(call.params).includes(value))
}

/** Calls that are connected by a value are one group, at the place of the first. */
function grouped(tested: readonly TestedCall[]): CallGroup[] {
  const groups: TestedCall[][] = []
  const groupOf = new Map<RecordedCall, TestedCall[]>()
  for (const each of tested) {
    const own: TestedCall[] = [each]
    groups.push(own)
    groupOf.set(each.call, own)
    for (const { from } of each.values) {
      const other = groupOf.get(from)
      const mine = groupOf.get(each.call)
      if (other === undefined || mine === undefined || other === mine) continue
      other.push(...mine.splice(0))
      for (const { call } of other) groupOf.set(call, other)
    }
  }
  return groups
    .filter((group) => group.length > 0)
    .map((group) => group.toSorted((one, other) => one.call.frame - other.call.frame))
}
