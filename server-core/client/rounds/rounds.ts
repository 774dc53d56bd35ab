import type { Parsed } from '../../protocol/parsed.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'

/** The methods that may be answered with questions (2026-07-28: multi round-trip requests). */
const ASKING_METHODS: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read'])

/** How often a server may ask before it is taken for a loop. */
export const MAX_ROUNDS = 10
/** Milliseconds before the next round where the server asked nothing and only wants to be called again. */
const PACE_MS = 250

/** A question inside an answer: a request without `jsonrpc` and `id`. */
export type InputRequest = { readonly method: string; readonly params: JsonObject }

/**
 * Where a multi-round request stands, its open questions included. Plain data: it may be stored as JSON, sent to another
 * process, and gone on with there, by responders and people alike. Every function here is pure.
 */
export type Rounds = {
  readonly method: string
  /** As the caller gave them; every round repeats them. */
  readonly params: JsonObject
  /** Answers of the server so far. */
  readonly round: number
  /** The server's state, to be returned exactly; missing if it gave none. */
  readonly requestState?: string
  /** What the server asked last, by key. */
  readonly questions: Readonly<Record<string, InputRequest>>
  /** The bare results found so far, by the key of their question. */
  readonly answers: Readonly<Record<string, JsonObject>>
}

/** What an answer of the server amounts to. */
export type Step =
  /** The request is over. `resultType` is of an extension unless it is `complete`. */
  | { readonly type: 'complete'; readonly resultType: string }
  /** Where the request stands now: questions to answer before it is sent again, or none at all. */
  | { readonly type: 'ask'; readonly rounds: Rounds }
  /** The server asks again and again. */
  | { readonly type: 'endless'; readonly reason: string }
  | { readonly type: 'invalid'; readonly reason: string }

/** The start of a request that may take several rounds. */
export function beginRounds(method: string, params: JsonObject): Rounds {
  return { method, params, round: 0, questions: {}, answers: {} }
}

/** The questions without an answer, by key. */
export function openQuestions({ questions, answers }: Rounds): readonly (readonly [string, InputRequest])[] {
  return Object.entries(questions).filter(([key]) => !Object.hasOwn(answers, key))
}

/**
 * Takes the answer to one question: its bare result. One that was given already is replaced. Throws a `RangeError` for
 * a key that was not asked for.
 */
export function withAnswer(rounds: Rounds, key: string, result: JsonObject): Rounds {
  if (!Object.hasOwn(rounds.questions, key))
    throw new RangeError(`the server asks nothing named ${JSON.stringify(key)}`)
  return { ...rounds, answers: { ...rounds.answers, [key]: result } }
}

/**
 * The parameters of the next round: the same as ever, the answers there are, and the exact state if there is one. Some
 * questions may be left out; the server asks them again.
 */
export function paramsOfRound({ params, round, requestState, answers }: Rounds): JsonObject {
  if (round === 0) return params
  return {
    ...params,
    ...(Object.keys(answers).length === 0 ? {} : { inputResponses: answers }),
    ...(requestState === undefined ? {} : { requestState }),
  }
}

/** Milliseconds to wait before the next round is sent. */
export function pauseBefore({ round, questions }: Rounds): number {
  return round > 0 && Object.keys(questions).length === 0 ? PACE_MS : 0
}

/**
 * Reads a result of 2026-07-28 (`resultType`; absent means complete). An unknown type makes the answer invalid.
 *
 * @param extensionTypes types of result that extensions have added and the client declared
 */
export function nextStep(
  rounds: Rounds,
  result: JsonObject,
  { maxRounds = MAX_ROUNDS, extensionTypes = [] }: StepOptions = {},
): Step {
  const type = result['resultType'] ?? 'complete'
  if (type === 'complete') return { type, resultType: type }
  if (type !== 'input_required') {
    if (typeof type === 'string' && extensionTypes.includes(type))
      return { type: 'complete', resultType: type }
    return invalid(`the result is of type ${JSON.stringify(type)}, which this connection does not know`)
  }
  const { method, params } = rounds
  if (!ASKING_METHODS.has(method)) return invalid(`${method} may not be answered with input_required`)
  const { inputRequests, requestState } = result
  if (requestState !== undefined && typeof requestState !== 'string')
    return invalid('requestState must be a string')
  if (inputRequests === undefined && requestState === undefined)
    return invalid('input_required needs inputRequests or requestState')
  const questions = readQuestions(inputRequests ?? {}, 'inputRequests')
  if (!questions.ok) return invalid(questions.reason)
  const round = rounds.round + 1
  if (round > maxRounds) return { type: 'endless', reason: `the server asked more than ${maxRounds} times` }
  const state = requestState === undefined ? {} : { requestState }
  return { type: 'ask', rounds: { method, params, round, ...state, questions: questions.value, answers: {} } }
}

export type StepOptions = { readonly maxRounds?: number; readonly extensionTypes?: readonly string[] }

/** Reads questions by key. */
export function readQuestions(value: unknown, name: string): Parsed<Record<string, InputRequest>> {
  if (!isJsonObject(value)) return { ok: false, reason: `${name} must be an object` }
  const entries: [string, InputRequest][] = []
  for (const [key, question] of Object.entries(value)) {
    if (!isJsonObject(question) || typeof question['method'] !== 'string')
      return { ok: false, reason: `${name}.${key} must be an object with a method` }
    const params = question['params'] ?? {}
    if (!isJsonObject(params)) return { ok: false, reason: `${name}.${key}.params must be an object` }
    entries.push([key, { method: question['method'], params }])
  }
  return { ok: true, value: Object.fromEntries(entries) }
}

/** Reads a stored state back. Throws a `TypeError` that says what was expected and where. */
export function readRounds(value: unknown): Rounds {
  const refuse = (what: string): never => {
    throw new TypeError(`this is not a state of a request in rounds: ${what}`)
  }
  if (!isJsonObject(value)) return refuse('expected an object')
  const { method, params, round, requestState, questions: asked, answers } = value
  if (typeof method !== 'string') return refuse('method must be a string')
  if (!isJsonObject(params)) return refuse('params must be an object')
  if (typeof round !== 'number' || !Number.isSafeInteger(round) || round < 0)
    return refuse('round must be an integer from 0')
  if (requestState !== undefined && typeof requestState !== 'string')
    return refuse('requestState must be a string')
  const read = readQuestions(asked, 'questions')
  if (!read.ok) return refuse(read.reason)
  const questions = read.value
  if (!isJsonObject(answers)) return refuse('answers must be an object')
  const results: [string, JsonObject][] = []
  for (const [key, result] of Object.entries(answers)) {
    if (!Object.hasOwn(questions, key)) return refuse(`answers.${key} answers no question`)
    if (!isJsonObject(result)) return refuse(`answers.${key} must be an object`)
    results.push([key, result])
  }
  const state = requestState === undefined ? {} : { requestState }
  return { method, params, round, ...state, questions, answers: Object.fromEntries(results) }
}

function invalid(reason: string): Step {
  return { type: 'invalid', reason }
}
