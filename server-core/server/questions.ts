import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { InputUnavailableError, type Question } from '../registry/invocation.ts'
import type { Validators } from './schemas/validators.ts'

/**
 * Refuses questions that cannot be asked: rejects with an `InputUnavailableError` that names every capability the
 * client lacks (specification: capabilities of elicitation, sampling and roots), or with a `ProtocolError` for a
 * form whose schema cannot be used.
 */
export async function admitQuestions(
  questions: readonly Question[],
  capabilities: JsonObject,
  validators: Validators,
): Promise<void> {
  if (questions.some(({ after }) => after !== undefined)) {
    const message = 'The client cannot be waited for: in this revision it does not tell changes of its roots'
    throw new InputUnavailableError(message, { roots: {} })
  }
  requireCapabilities(questions, capabilities)
  for (const { method, params } of questions) {
    const schema = params['requestedSchema']
    if (method === 'elicitation/create' && isJsonObject(schema)) await validators.check(schema, 'the form')
  }
}

function requireCapabilities(questions: readonly Question[], capabilities: JsonObject): void {
  const missing: Record<string, JsonObject> = {}
  for (const question of questions) {
    const [name, need] = neededCapability(question)
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

function neededCapability({ method, params }: Question): [name: string, need: JsonObject] {
  switch (method) {
    case 'elicitation/create':
      return ['elicitation', params['mode'] === 'url' ? { url: {} } : { form: {} }]
    case 'sampling/createMessage':
      return [
        'sampling',
        params['tools'] === undefined && params['toolChoice'] === undefined ? {} : { tools: {} },
      ]
    case 'roots/list':
      return ['roots', {}]
  }
}

function declares(declared: unknown, need: JsonObject): boolean {
  if (!isJsonObject(declared)) return false
  // An empty `elicitation` means forms.
  if ('form' in need && declared['url'] === undefined) return true
  return Object.keys(need).every((part) => isJsonObject(declared[part]))
}

/** Says why a value is no answer to the question, or gives the answer. */
export async function readAnswer(
  question: Question,
  value: unknown,
  validators: Validators,
): Promise<{ readonly answer: JsonObject } | { readonly fault: string }> {
  if (!isJsonObject(value)) return { fault: 'it is no object' }
  const fault = await faultOf(question, value, validators)
  return fault === undefined ? { answer: value } : { fault }
}

async function faultOf(
  { method, params }: Question,
  answer: JsonObject,
  validators: Validators,
): Promise<string | undefined> {
  switch (method) {
    case 'sampling/createMessage': {
      const complete =
        typeof answer['role'] === 'string' &&
        typeof answer['model'] === 'string' &&
        typeof answer['content'] === 'object' &&
        answer['content'] !== null
      return complete ? undefined : 'it needs "role", "content" and "model"'
    }
    case 'roots/list':
      return Array.isArray(answer['roots']) ? undefined : 'it needs the array "roots"'
    case 'elicitation/create':
      break
  }
  const action = answer['action']
  if (action === 'decline' || action === 'cancel') return undefined
  if (action !== 'accept') return '"action" must be "accept", "decline" or "cancel"'
  if (params['mode'] === 'url') return undefined
  const content = answer['content'] ?? {}
  const schema = params['requestedSchema']
  if (!isJsonObject(schema)) return isJsonObject(content) ? undefined : '"content" must be an object'
  const check = await validators.check(schema, 'the form')
  const problem = check(content)
  return problem && `its content does not fit the form: ${problem}`
}

/** The question inside `input_required`; 2026-07-28 knows no elicitation ids and needs no empty params. */
export function embeddedQuestion({ method, params }: Question): JsonObject {
  const { elicitationId: _unused, ...rest } = params
  return method === 'roots/list' && Object.keys(rest).length === 0 ? { method } : { method, params: rest }
}
