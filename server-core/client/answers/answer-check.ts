import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Revision } from '../../protocol/revisions.ts'
import { kindOf, pathText, wireFault } from '../../protocol/wire/fault.ts'
import { formFaults, type AnswerFault } from './form-content.ts'

/** A question of a server: `elicitation/create`, `sampling/createMessage`, `roots/list`. */
export type ServerQuestion = {
  readonly method: string
  readonly params: JsonObject
  readonly revision: Revision
}

const ANSWERS: ReadonlyMap<string, string> = new Map([
  ['elicitation/create', 'ElicitResult'],
  ['sampling/createMessage', 'CreateMessageResult'],
  ['roots/list', 'ListRootsResult'],
])

/**
 * What keeps an answer from being sent (client features: elicitation, sampling, roots): its shape in the revision, the
 * form that was asked for, the rules of sampling with tools. An empty list: it may go out. Answers to methods of
 * extensions are not looked at.
 */
export function answerFaults(question: ServerQuestion, given: unknown): readonly AnswerFault[] {
  const { method, params, revision } = question
  if (!isJsonObject(given)) return [{ path: '', message: `expected an object, got ${kindOf(given)}` }]
  // Numbers that a double cannot hold go out as they were typed, and are checked against a form by their nearest double.
  const answer = method === 'elicitation/create' ? (JSON.parse(JSON.stringify(given)) as JsonObject) : given
  const definition = ANSWERS.get(method)
  const fault = definition === undefined ? undefined : wireFault(revision, definition, answer)
  // The form itself reports its values; it knows more than the shape.
  const isFormValue = fault !== undefined && fault.path[0] === 'content' && fault.path.length > 1
  if (fault !== undefined && !(method === 'elicitation/create' && isFormValue))
    return [{ path: pathText(fault.path), message: fault.message }]
  switch (method) {
    case 'elicitation/create': {
      const told = elicitationFaults(params, answer)
      return told.length > 0 || fault === undefined
        ? told
        : [{ path: pathText(fault.path), message: fault.message }]
    }
    case 'sampling/createMessage':
      return samplingResultFaults(params, answer)
    case 'roots/list':
      return rootFaults(answer)
    default:
      return []
  }
}

function elicitationFaults(params: JsonObject, answer: JsonObject): readonly AnswerFault[] {
  const { action, content } = answer
  const isForm = (params['mode'] ?? 'form') === 'form'
  if (action !== 'accept' || !isForm) {
    if (content === undefined) return []
    return [{ path: 'content', message: 'only the answer that accepts a form has content' }]
  }
  return formFaults(params['requestedSchema'], isJsonObject(content) ? content : {})
}

function samplingResultFaults(params: JsonObject, answer: JsonObject): readonly AnswerFault[] {
  const { content, role, stopReason } = answer
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content]
  const at = (index: number): string => (Array.isArray(content) ? `content[${index}]` : 'content')
  const tools: readonly unknown[] = Array.isArray(params['tools']) ? params['tools'] : []
  const names = tools.flatMap((tool) => (isJsonObject(tool) ? [tool['name']] : []))
  const { toolChoice } = params
  const mode = isJsonObject(toolChoice) ? toolChoice['mode'] : undefined
  const faults: AnswerFault[] = []
  const ids = new Set<unknown>()
  for (const [index, block] of blocks.entries()) {
    if (!isJsonObject(block)) continue
    const { type, id, name } = block
    const add = (message: string, member = ''): void => {
      faults.push({ path: `${at(index)}${member}`, message })
    }
    if (type === 'tool_result') add('a tool_result belongs in messages of the user, never in an answer')
    if (type !== 'tool_use') continue
    if (role !== 'assistant') add('a tool_use belongs in a message of the role "assistant"')
    if (mode === 'none') add('the request says that no tool may be used (toolChoice "none")')
    else if (!names.includes(name))
      add(`the request offers no tool ${JSON.stringify(name)}${offered(names)}`, '.name')
    if (ids.has(id)) add(`the id ${JSON.stringify(id)} is used twice`, '.id')
    ids.add(id)
  }
  if (mode === 'required' && ids.size === 0 && stopReason !== 'maxTokens')
    faults.push({
      path: 'content',
      message: 'the request says that a tool must be used (toolChoice "required")',
    })
  return faults
}

function offered(names: readonly unknown[]): string {
  return names.length === 0 ? '' : `; it offers ${names.map((name) => JSON.stringify(name)).join(', ')}`
}

function rootFaults({ roots }: JsonObject): readonly AnswerFault[] {
  const list: readonly unknown[] = Array.isArray(roots) ? roots : []
  return list.flatMap((root, index) => {
    const uri = isJsonObject(root) ? root['uri'] : undefined
    if (typeof uri === 'string' && /^file:\/\//i.test(uri) && URL.canParse(uri)) return []
    return [{ path: `roots[${index}].uri`, message: `expected a file:// URI, got ${JSON.stringify(uri)}` }]
  })
}
