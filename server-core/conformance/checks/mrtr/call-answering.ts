import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { CapturedFrame } from '../../frames/captured-frame.ts'
import type { ProbeConnection } from '../../probe/connection.ts'
import { exampleArguments } from '../../probe/example-arguments.ts'
import type { FixtureTool } from '../../probe/fixture-tools.ts'
import type { Outcome } from '../../probe/outcome.ts'

/** What a tool asks the client: by a request of its own, or in an `input_required` result (2026-07-28). */
export type Question = {
  readonly method: string
  readonly params: JsonObject
  /** The request, or the entry of `inputRequests`, as it came. */
  readonly raw: JsonObject
  /** Its name in `inputRequests`. */
  readonly key?: string
  /** JSON Pointer from the message to the parameters. */
  readonly member: string
  readonly frame: CapturedFrame
  /** Counts the rounds of questions, from 1. */
  readonly round: number
}

/** How the probe answers a question. 2026-07-28 has no errors as answers: there the question stays unanswered. */
export type Answer =
  | { readonly result: JsonObject }
  | { readonly error: { readonly code: number; readonly message: string } }
  | { readonly silent: true }

/** What became of a call that asks, and what it asked. */
export type AnsweredCall = { readonly outcome: Outcome; readonly questions: readonly Question[] }

const MOST_ROUNDS = 60

/** Calls a tool, and answers whatever it asks until it ends. */
export async function callAnswering(
  connection: ProbeConnection,
  tool: FixtureTool,
  answer: (question: Question) => Answer = usualAnswer,
): Promise<AnsweredCall> {
  return connection.isModern ? inRounds(connection, tool, answer) : byRequests(connection, tool, answer)
}

async function byRequests(
  connection: ProbeConnection,
  { name, arguments: args }: FixtureTool,
  answer: (question: Question) => Answer,
): Promise<AnsweredCall> {
  const questions: Question[] = []
  const stop = connection.inbox.onMessage(({ message, frame }) => {
    const { method, id } = message
    if (typeof method !== 'string' || id === undefined) return
    const params = isJsonObject(message['params']) ? message['params'] : {}
    const question = { method, params, raw: message, member: '/params', frame, round: questions.length + 1 }
    if (method !== 'ping') questions.push(question)
    const given: Answer = method === 'ping' ? { result: {} } : answer(question)
    if (!('silent' in given)) void connection.send({ jsonrpc: '2.0', id, ...given })
  })
  const outcome = await connection.call('tools/call', { name, arguments: args })
  stop()
  return { outcome, questions }
}

async function inRounds(
  connection: ProbeConnection,
  { name, arguments: args }: FixtureTool,
  answer: (question: Question) => Answer,
): Promise<AnsweredCall> {
  const questions: Question[] = []
  let outcome = await connection.call('tools/call', { name, arguments: args })
  for (let round = 1; round <= MOST_ROUNDS && isAsking(outcome); round += 1) {
    const asked = questionsIn(outcome, round)
    questions.push(...asked)
    const answers = asked.flatMap((question) => {
      const given = answer(question)
      return 'result' in given ? [[question.key ?? '', given.result] as const] : []
    })
    const state = outcome.result['requestState']
    if (answers.length === 0 && (asked.length > 0 || state === undefined)) break
    outcome = await retry(connection, { name, arguments: args }, outcome, Object.fromEntries(answers))
  }
  return { outcome, questions }
}

/** Whether a call is answered by questions. */
export function isAsking(outcome: Outcome): outcome is Extract<Outcome, { type: 'result' }> {
  return outcome.type === 'result' && outcome.result['resultType'] === 'input_required'
}

/** The questions of an `input_required` result. */
export function questionsIn(outcome: Outcome, round = 1): readonly Question[] {
  if (outcome.type !== 'result') return []
  const { inputRequests } = outcome.result
  if (!isJsonObject(inputRequests)) return []
  return Object.entries(inputRequests).flatMap(([key, raw]) => {
    if (!isJsonObject(raw)) return []
    const params = isJsonObject(raw['params']) ? raw['params'] : {}
    const member = `/result/inputRequests/${key}/params`
    return [{ key, raw, method: String(raw['method']), params, member, frame: outcome.frame, round }]
  })
}

/** Sends a call again with answers, and the state of the result that asked. */
export function retry(
  connection: ProbeConnection,
  call: JsonObject,
  asked: Outcome,
  inputResponses: unknown,
): Promise<Outcome> {
  const state = asked.type === 'result' ? asked.result['requestState'] : undefined
  return connection.call('tools/call', {
    ...call,
    ...(inputResponses !== undefined && { inputResponses }),
    ...(state !== undefined && { requestState: state }),
  })
}

/** An answer that fits what was asked. */
export function usualAnswer({ method, params }: Pick<Question, 'method' | 'params'>): Answer {
  switch (method) {
    case 'elicitation/create':
      return { result: acceptedForm(params) }
    case 'sampling/createMessage':
      return { result: sampled('Paris') }
    case 'roots/list':
      return { result: { roots: [{ uri: 'file:///tmp/patchbay', name: 'patchbay' }] } }
    default:
      return { error: { code: -32601, message: 'Method not found' } }
  }
}

/** The answers to all questions of a result. */
export function usualAnswers(outcome: Outcome): JsonObject {
  return Object.fromEntries(
    questionsIn(outcome).flatMap((question) => {
      const given = usualAnswer(question)
      return 'result' in given ? [[question.key ?? '', given.result]] : []
    }),
  )
}

/** A form that is accepted with a value for each field, or a page that was opened. */
export function acceptedForm({ mode, requestedSchema }: JsonObject): JsonObject {
  if (mode === 'url') return { action: 'accept' }
  const properties = isJsonObject(requestedSchema) ? requestedSchema['properties'] : undefined
  const names = isJsonObject(properties) ? Object.keys(properties) : []
  return { action: 'accept', content: exampleArguments({ properties, required: names }) }
}

/** What a model says. */
export function sampled(text: string, members: JsonObject = {}): JsonObject {
  return {
    role: 'assistant',
    content: { type: 'text', text },
    model: 'patchbay-probe',
    stopReason: 'endTurn',
    ...members,
  }
}

/** Every capability of clients that the revision knows. */
export function allCapabilities(revision: string): JsonObject {
  const knowsModes = revision >= '2025-11-25'
  return {
    roots: { listChanged: true },
    sampling: knowsModes ? { tools: {}, context: {} } : {},
    ...(revision >= '2025-06-18' && { elicitation: knowsModes ? { form: {}, url: {} } : {} }),
  }
}
