import { isJsonObject, type JsonObject } from '../protocol/json.ts'

/** The methods that may be answered with questions (2026-07-28: multi round-trip requests). */
const ASKING_METHODS: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read'])

/** How often a server may ask before it is taken for a loop. */
export const MAX_ROUNDS = 10

/** A question inside an answer: a request without `jsonrpc` and `id`. */
export type InputRequest = { readonly method: string; readonly params: JsonObject }

/**
 * Where a multi-round request stands. Plain data: it may be stored, sent to another process, and gone on with there.
 */
export type Rounds = {
  readonly method: string
  /** As the caller gave them; every round repeats them. */
  readonly params: JsonObject
  /** Answers received so far. */
  readonly round: number
  /** The server's state, to be returned exactly; missing if it gave none. */
  readonly requestState?: string
}

/** What an answer amounts to. */
export type Step =
  | { readonly type: 'complete' }
  /** The questions, by key, and where the request stands once they are answered. No question: send again at once. */
  | { readonly type: 'ask'; readonly questions: ReadonlyMap<string, InputRequest>; readonly rounds: Rounds }
  | { readonly type: 'invalid'; readonly reason: string }

/** The start of a request that may take several rounds. */
export function beginRounds(method: string, params: JsonObject): Rounds {
  return { method, params, round: 0 }
}

/**
 * Reads a result of 2026-07-28 (`resultType`; absent means complete). Pure: the same state and result always give the
 * same step.
 */
export function nextStep(rounds: Rounds, result: JsonObject): Step {
  const type = result['resultType'] ?? 'complete'
  if (type === 'complete') return { type: 'complete' }
  if (type !== 'input_required')
    return invalid(`the result is of type ${JSON.stringify(type)}, which this revision does not know`)
  if (!ASKING_METHODS.has(rounds.method))
    return invalid(`${rounds.method} may not be answered with input_required`)
  const { inputRequests, requestState } = result
  if (requestState !== undefined && typeof requestState !== 'string')
    return invalid('requestState must be a string')
  if (inputRequests === undefined && requestState === undefined) {
    return invalid('input_required needs inputRequests or requestState')
  }
  if (inputRequests !== undefined && !isJsonObject(inputRequests))
    return invalid('inputRequests must be an object')
  const questions = new Map<string, InputRequest>()
  for (const [key, question] of Object.entries(inputRequests ?? {})) {
    if (!isJsonObject(question) || typeof question['method'] !== 'string') {
      return invalid(`inputRequests.${key} must be an object with a method`)
    }
    const params = question['params'] ?? {}
    if (!isJsonObject(params)) return invalid(`inputRequests.${key}.params must be an object`)
    questions.set(key, { method: question['method'], params })
  }
  const { method, params, round } = rounds
  return {
    type: 'ask',
    questions,
    rounds: { method, params, round: round + 1, ...(requestState === undefined ? {} : { requestState }) },
  }
}

/** The parameters of the next round: the same as ever, the bare answers by key, and the exact state if there is one. */
export function paramsWithAnswers(rounds: Rounds, answers: ReadonlyMap<string, JsonObject>): JsonObject {
  return {
    ...rounds.params,
    ...(answers.size === 0 ? {} : { inputResponses: Object.fromEntries(answers) }),
    ...(rounds.requestState === undefined ? {} : { requestState: rounds.requestState }),
  }
}

function invalid(reason: string): Step {
  return { type: 'invalid', reason }
}
