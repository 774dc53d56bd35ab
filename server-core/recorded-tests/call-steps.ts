import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { RecordedQuestion } from '../replay/client-side/replay-plan.ts'
import { expectedValue, expectedWholeText, sentValue, type TestVariables } from './expected-value.ts'
import {
  callOf,
  escapeForPattern,
  listOf,
  objectOf,
  print,
  stringSource,
  type Source,
} from './source-text.ts'
import type { TestedCall } from './tested-calls.ts'

export const INDENT = '  '

/** A statement: `const NAME = await CALL` or `expect(…)…`. */
function statement(before: string, source: Source, after = ''): string {
  return `${INDENT}${before}${print(source, INDENT, before.length + after.length)}${after}`
}

/** The questions that are expected during a call, as lines. */
export function questionLines(questions: readonly RecordedQuestion[]): string[] {
  return questions.map((question) => `${INDENT}answers${answerOf(question)}`)
}

function answerOf({ method, params, outcome }: RecordedQuestion): string {
  const result = outcome.type === 'result' && isJsonObject(outcome.value) ? outcome.value : {}
  const exact = (kind: string, pattern: string) => {
    const { _meta, ...answer } = result
    return `.${kind}(${pattern})${print(callOf('.answer', [sentValue(answer)]), INDENT, 40)}`
  }
  switch (method) {
    case 'roots/list': {
      const roots = Array.isArray(result['roots']) ? (result['roots'] as unknown[]) : []
      return print(callOf('.roots', [listOf(roots.map((root) => sentValue(root)))]), INDENT, 7)
    }
    case 'elicitation/create': {
      const pattern = patternOf(params['message'])
      const { action, content } = result
      if (action === 'decline' || action === 'cancel') return `.elicitation(${pattern}).${action}()`
      if (action !== 'accept') return exact('elicitation', pattern)
      const given = isJsonObject(content) ? [sentValue(content)] : []
      return `.elicitation(${pattern})${print(callOf('.accept', given), INDENT, pattern.length + 20)}`
    }
    default: {
      const { content } = result
      const pattern = patternOf(lastTextOf(params))
      if (!isJsonObject(content) || content['type'] !== 'text' || typeof content['text'] !== 'string')
        return exact('sampling', pattern)
      return `.sampling(${pattern}).reply(${stringSource(content['text'])})`
    }
  }
}

/** A part of the question that tells it from others: the first line, up to what differs each time. */
function patternOf(text: unknown): string {
  if (typeof text !== 'string') return ''
  const line = (text.split('\n')[0] ?? '').slice(0, 60)
  return line === '' ? '' : stringSource(line)
}

function lastTextOf({ messages }: JsonObject): unknown {
  const last = Array.isArray(messages) ? (messages as unknown[]).at(-1) : undefined
  const content = isJsonObject(last) ? last['content'] : undefined
  return isJsonObject(content) ? content['text'] : undefined
}

/** The lines of a call and of what is expected of it. */
export function callLines(tested: TestedCall, name: string, returned: TestVariables): string[] {
  const { call, outcome } = tested
  const request = requestOf(tested, returned.variables)
  if (outcome.type === 'error') {
    const code = isJsonObject(outcome.value) ? outcome.value['code'] : undefined
    return [
      statement(
        'await ',
        callOf('expect', [request]),
        typeof code === 'number' ? `.toFailWith(${code})` : '.rejects.toThrow()',
      ),
    ]
  }
  const result = isJsonObject(outcome.value) ? outcome.value : {}
  switch (call.method) {
    case 'tools/call':
      return [statement(`const ${name} = await `, request), ...toolExpectations(result, name, returned)]
    case 'resources/read':
      return [
        statement(`const ${name} = await `, request),
        statement(
          `expect(${name}).`,
          callOf('toMatchObject', [expectedValue(shownContents(result), returned)]),
        ),
      ]
    case 'prompts/get':
      return [
        statement(`const ${name} = await `, request),
        statement(
          `expect(${name}.messages).`,
          callOf('toMatchObject', [expectedValue(result['messages'] ?? [], returned)]),
        ),
      ]
    case 'completion/complete': {
      const completion = isJsonObject(result['completion']) ? result['completion'] : {}
      return [
        statement(`const ${name} = await `, request),
        statement(
          `expect(${name}).`,
          callOf('toEqual', [expectedValue(completion['values'] ?? [], returned)]),
        ),
      ]
    }
    default: {
      const { kind, member } = listOfMethod(call.method)
      const items = Array.isArray(result[kind]) ? (result[kind] as unknown[]) : []
      const names = items.filter(isJsonObject).map((item) => item[member])
      return [
        statement(`const ${name} = await `, request),
        statement(
          `expect(${name}.map((${singular(name)}) => ${singular(name)}.${member})).`,
          result['nextCursor'] === undefined
            ? callOf('toEqual', [expectedValue(names, returned)])
            : callOf('toEqual', [callOf('expect.arrayContaining', [expectedValue(names, returned)])]),
        ),
      ]
    }
  }
}

function singular(name: string): string {
  return name.endsWith('s') && name.length > 1 ? name.slice(0, -1) : `${name}Entry`
}

/** What a list method lists, and the member that names an entry. */
export function listOfMethod(method: string): { readonly kind: string; readonly member: string } {
  switch (method) {
    case 'resources/list':
      return { kind: 'resources', member: 'uri' }
    case 'resources/templates/list':
      return { kind: 'resourceTemplates', member: 'uriTemplate' }
    case 'prompts/list':
      return { kind: 'prompts', member: 'name' }
    default:
      return { kind: 'tools', member: 'name' }
  }
}

function requestOf({ call: { method, params } }: TestedCall, variables: ReadonlyMap<string, string>): Source {
  const text = (member: string) => sentValue(params[member] ?? '', variables)
  const args = isJsonObject(params['arguments']) ? params['arguments'] : {}
  const given = Object.keys(args).length === 0 ? [] : [sentValue(args, variables)]
  switch (method) {
    case 'tools/call':
      return callOf('mcp.callTool', [text('name'), ...given])
    case 'resources/read':
      return callOf('mcp.readResource', [text('uri')])
    case 'prompts/get':
      return callOf('mcp.getPrompt', [text('name'), ...given])
    case 'completion/complete': {
      const { ref, argument, context } = params
      const members = { ref, argument, ...(context !== undefined && { context }) }
      return callOf('mcp.complete', [sentValue(members, variables)])
    }
    case 'resources/list':
      return 'mcp.listResources()'
    case 'resources/templates/list':
      return 'mcp.listResourceTemplates()'
    case 'prompts/list':
      return 'mcp.listPrompts()'
    default:
      return 'mcp.listTools()'
  }
}

/** Parts of the result that a person would check: structured content, or text, or the kinds of the blocks. */
function toolExpectations(result: JsonObject, name: string, returned: TestVariables): string[] {
  const content = Array.isArray(result['content']) ? (result['content'] as unknown[]) : []
  const [only] = content
  const text =
    content.length === 1 && isJsonObject(only) && only['type'] === 'text' && typeof only['text'] === 'string'
      ? only['text']
      : undefined
  if (result['isError'] === true) {
    const said = text?.split('\n')[0]?.slice(0, 120) ?? ''
    return [`${INDENT}expect(${name}).toBeToolError(${said === '' ? '' : stringSource(said)})`]
  }
  const lines = [`${INDENT}expect(${name}).toSucceed()`]
  const { structuredContent } = result
  if (structuredContent !== undefined) {
    const expected = expectedValue(structuredContent, returned)
    lines.push(
      `${INDENT}expect(${name}).toMatchOutputSchema()`,
      statement(`expect(${name}.structuredContent).`, callOf('toEqual', [expected])),
    )
  } else if (text !== undefined) {
    lines.push(statement(`expect(${name}.text).`, expectedWholeText(text, returned)))
  } else {
    lines.push(
      statement(
        `expect(${name}.content).`,
        callOf('toMatchObject', [
          listOf(content.map((block) => expectedValue(withoutMeta(block), returned))),
        ]),
      ),
    )
  }
  return lines
}

function shownContents(result: JsonObject): readonly unknown[] {
  return Array.isArray(result['contents']) ? (result['contents'] as unknown[]).map(withoutMeta) : []
}

function withoutMeta(value: unknown): unknown {
  if (!isJsonObject(value)) return value
  const { _meta, ...members } = value
  return members
}

/** The variable that holds a value which an earlier call returned. */
export function valueLines(
  variable: string,
  from: string,
  place: TestedCall['values'][number]['place'],
): string[] {
  if (place.type === 'text') {
    const before = place.before.split('\n').at(-1) ?? ''
    const pattern = `${escapeForPattern(before)}([\\w-]+)`
    return [`${INDENT}const ${variable} = /${pattern}/.exec(${from}.text)?.[1] ?? ''`]
  }
  const type = place.steps.reduceRight((inner, step) => print(objectOf([[step, inner]]), ''), 'string')
  const [last = ''] = place.steps.slice(-1)
  const reading = place.steps.reduceRight<Source>((inner, step) => objectOf([[step, inner]]), variable)
  const pattern = last === variable && place.steps.length === 1 ? `{ ${variable} }` : print(reading, '')
  return [`${INDENT}const ${pattern} = ${from}.structuredContent as ${type}`]
}
