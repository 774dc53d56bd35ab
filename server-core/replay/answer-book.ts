import { canonicalJson } from '../protocol/canonical-json.ts'
import { compareValues, type Change } from '../comparison/compare-values.ts'
import { targetOf } from '../comparison/recorded-calls.ts'
import { withoutVolatile } from '../comparison/volatile-values.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { RecordedAnswer } from './recorded-answers.ts'

/**
 * What makes a call the same as a recorded one. `exact`: method, target and arguments, apart from times and
 * identifiers. `shape`: arguments of the same names and types. `target`: method and target alone.
 */
export type Match = 'exact' | 'shape' | 'target'

/** Whether a call has a recorded answer; if not, the recorded call that is most like it. */
export type Found =
  | { readonly type: 'answer'; readonly answer: RecordedAnswer }
  /** It was recorded, and all its answers were given. */
  | { readonly type: 'used-up' }
  | { readonly type: 'nearest'; readonly asked: JsonObject; readonly changes: readonly Change[] }
  /** No call has this target; these were recorded. */
  | { readonly type: 'unknown'; readonly targets: readonly string[] }

/** The answers of a recording. Those to the same question are given in their order; the last one is repeated. */
export class AnswerBook {
  readonly #answers: readonly RecordedAnswer[]
  readonly #match: Match
  readonly #once: boolean
  readonly #byKey = new Map<string, { readonly answers: RecordedAnswer[]; next: number }>()

  /** @param once gives each answer once and repeats none */
  constructor(answers: readonly RecordedAnswer[], match: Match, once: boolean) {
    this.#answers = answers
    this.#match = match
    this.#once = once
    for (const answer of answers) {
      const key = keyOf(answer.call.method, answer.call.params, match)
      const known = this.#byKey.get(key)
      if (known === undefined) this.#byKey.set(key, { answers: [answer], next: 0 })
      else known.answers.push(answer)
    }
  }

  /** Returns the answer to a call; the next call of the same question gets the next one. */
  take(method: string, params: JsonObject): Found {
    const known = this.#byKey.get(keyOf(method, params, this.#match))
    if (known === undefined) return this.#nearest(method, params)
    const last = known.answers.length - 1
    if (this.#once && known.next > last) return { type: 'used-up' }
    const answer = known.answers[Math.min(known.next, last)]
    known.next += 1
    return answer === undefined ? { type: 'used-up' } : { type: 'answer', answer }
  }

  #nearest(method: string, params: JsonObject): Found {
    const target = targetOf(params)
    const ofMethod = this.#answers.filter(({ call }) => call.method === method)
    const candidates = ofMethod
      .filter(({ call }) => call.target === target)
      .map(({ call }) => {
        const asked = askedOf(call.params)
        return { asked, changes: compareValues(asked, askedOf(params)).changes }
      })
      .sort((one, other) => one.changes.length - other.changes.length)
    const nearest = candidates[0]
    if (nearest !== undefined) return { type: 'nearest', ...nearest }
    return { type: 'unknown', targets: [...new Set(ofMethod.map(({ call }) => call.target))] }
  }
}

function keyOf(method: string, params: JsonObject, match: Match): string {
  const asked = askedOf(params)
  const text =
    match === 'exact'
      ? canonicalJson(asked, withoutVolatile)
      : match === 'shape'
        ? canonicalJson(asked, (value) => typeof value)
        : ''
  return `${method} ${targetOf(params)} ${text}`
}

/** What a call asks its target for. */
function askedOf(params: JsonObject): JsonObject {
  const { arguments: given, argument } = params
  if (isJsonObject(argument)) return argument
  return isJsonObject(given) ? given : {}
}
