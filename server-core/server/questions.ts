import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { RevisionRow } from '../protocol/revisions.ts'
import { InputUnavailableError, type Question } from '../registry/invocation.ts'
import { questionKind } from './question-kinds.ts'
import type { Validators } from './schemas/validators.ts'

/**
 * Refuses questions that cannot be asked: rejects with an `InputUnavailableError` that names every capability the
 * client lacks (specification: client capabilities), or with a `ProtocolError` for a form whose schema cannot be
 * used.
 */
export async function admitQuestions(
  questions: readonly Question[],
  capabilities: JsonObject,
  validators: Validators,
): Promise<void> {
  for (const { method, after } of questions) {
    if (after !== undefined) throw unheard(method)
  }
  requireCapabilities(questions, capabilities)
  for (const { method, params } of questions) await questionKind(method).check?.(params, validators)
}

/**
 * The question as it can be put to a client of a handshake revision with these capabilities. Throws an
 * `InputUnavailableError` that names what the revision cannot ask.
 */
export function questionFor(row: RevisionRow, question: Question, clientCapabilities: JsonObject): Question {
  return questionKind(question.method).written(row, question, clientCapabilities)
}

function unheard(method: string): InputUnavailableError {
  const message = `The client cannot be waited for: it tells no changes of what "${method}" asks for`
  return questionKind(method).changes?.unheard() ?? new InputUnavailableError(message, {})
}

function requireCapabilities(questions: readonly Question[], capabilities: JsonObject): void {
  const missing: Record<string, JsonObject> = {}
  for (const question of questions) {
    const [name, need] = questionKind(question.method).needs(question.params)
    if (!declares(capabilities[name], need)) missing[name] = { ...missing[name], ...need }
  }
  const names = Object.keys(missing)
  if (names.length === 0) return
  throw new InputUnavailableError(
    `The client cannot be asked: it does not declare ${names.map((name) => nameCapability(name, missing[name])).join(', ')}`,
    missing,
  )
}

function nameCapability(name: string, need: JsonObject | undefined): string {
  const parts = Object.keys(need ?? {})
  return parts.length === 0 ? `"${name}"` : parts.map((part) => `"${name}.${part}"`).join(', ')
}

function declares(declared: unknown, need: JsonObject): boolean {
  if (!isJsonObject(declared)) return false
  // An empty `elicitation` means forms.
  if ('form' in need && declared['url'] === undefined) return true
  return Object.keys(need).every((part) => isJsonObject(declared[part]))
}

/** Returns why a value is not an answer to the question, or gives the answer. */
export async function readAnswer(
  question: Question,
  value: unknown,
  validators: Validators,
): Promise<{ readonly answer: JsonObject } | { readonly fault: string }> {
  if (!isJsonObject(value)) return { fault: 'it is not an object' }
  const fault = await questionKind(question.method).faultOf(question.params, value, validators)
  return fault === undefined ? { answer: value } : { fault }
}

/** The question inside `input_required`; 2026-07-28 knows no elicitation ids and needs no empty params. */
export function embeddedQuestion({ method, params }: Question): JsonObject {
  const { elicitationId: _unused, ...rest } = params
  return questionKind(method).sparse && Object.keys(rest).length === 0 ? { method } : { method, params: rest }
}
