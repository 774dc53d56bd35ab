import { plural } from '../protocol/plural.ts'
import { isJsonObject } from '../protocol/json.ts'
import type { RecordedCall } from '../comparison/recorded-calls.ts'
import { replayPlan } from '../replay/client-side/replay-plan.ts'
import { callLines, listOfMethod, questionLines, valueLines } from './call-steps.ts'
import { sentValue } from './expected-value.ts'
import { RecordedTestError } from './recorded-test-error.ts'
import { print, stringSource, variableName } from './source-text.ts'
import { testedCalls, type CallGroup, type TestedCall } from './tested-calls.ts'

export type RecordedTestOptions = {
  /** The server under test; without it, the configuration names it. */
  readonly server?:
    | { readonly command: string; readonly args: readonly string[] }
    | { readonly url: string }
    | { readonly workspace: string }
  /** The revision of the tests; that of the handshake in the calls unless given. */
  readonly revision?: string
  /** All calls in one test, in their order. */
  readonly inOneTest: boolean
  /** Where the calls come from, for the first comment. */
  readonly source: string
}

export type RecordedTest = {
  /** The text of the test file. */
  readonly text: string
  readonly tests: number
  /** Requests of the recording that no test sends, each with the reason. */
  readonly left: readonly string[]
}

/**
 * Writes a test file from the calls of a recording: each call of the client with what the server answered. Times,
 * identifiers and ports are matched by their form. A later call that sends what an earlier one returned is in the same
 * test and sends what the server returns now.
 *
 * @param calls of `recordedCalls`
 * @returns throws a `RecordedTestError` if no call of the recording can be tested
 */
export function recordedTest(calls: readonly RecordedCall[], options: RecordedTestOptions): RecordedTest {
  const { groups, left } = testedCalls(calls, options.inOneTest)
  const unsent = left.map(({ call, reason }) => `${[call.method, call.target].join(' ').trim()}: ${reason}`)
  if (groups.length === 0)
    throw new RecordedTestError(
      'empty',
      `${options.source} has no answered call that a test could send: expected calls of tools, reads, prompts or lists` +
        (unsent.length > 0
          ? `; it has ${plural(unsent.length, 'other request')}: ${unsent.slice(0, 3).join('; ')}`
          : ''),
    )
  const titles = new Titles()
  const tests = groups.map((group) => testOf(group, titles.unique(titleOf(group))))
  const revision = options.revision ?? replayPlan(calls).client?.revision
  const server = options.server && print(sentValue(options.server), '', 20)
  const use = [
    ...(server === undefined ? [] : [`server: ${server}`]),
    ...(revision === undefined ? [] : [`revision: ${stringSource(revision)}`]),
  ]
  const head = [
    "import { expect, test } from 'mcp-patchbay/test'",
    '',
    `// Made from ${options.source}. Expectations are what the server answered then: keep those that matter.`,
    ...(use.length === 0 ? [] : [`test.use({ ${use.join(', ')} })`]),
  ]
  return { text: `${[head.join('\n'), ...tests].join('\n\n')}\n`, tests: tests.length, left: unsent }
}

function testOf(group: CallGroup, title: string): string {
  const names = new Names()
  const variables = new Map<string, string>()
  const nameOf = new Map<RecordedCall, string>()
  const isAsked = group.some(({ questions }) => questions.length > 0)
  const unknown = new Set(group.flatMap(({ values }) => values.map(({ value }) => value)))
  const steps = group.map((tested, place) => {
    const lines: string[] = []
    for (const { from, value, place: where } of tested.values) {
      if (variables.has(value)) continue
      const last = where.type === 'structured' ? where.steps.at(-1) : 'id'
      const variable = names.unique(variableName(last ?? 'id'))
      lines.push(...valueLines(variable, nameOf.get(from) ?? 'result', where))
      variables.set(value, variable)
      unknown.delete(value)
    }
    const name = names.unique(group.length === 1 ? singleName(tested) : callName(tested))
    nameOf.set(tested.call, name)
    lines.push(...questionLines(tested.questions), ...callLines(tested, name, { variables, unknown }))
    return [...(place === 0 ? [] : ['']), ...lines].join('\n')
  })
  const fixtures = isAsked ? '{ mcp, answers }' : '{ mcp }'
  return `test(${stringSource(title)}, async (${fixtures}) => {\n${steps.join('\n')}\n})`
}

function singleName(tested: TestedCall): string {
  return tested.call.method === 'tools/call' ? 'result' : callName(tested)
}

function callName({ call: { method, target } }: TestedCall): string {
  switch (method) {
    case 'tools/call':
      return variableName(target)
    case 'resources/read':
      return 'contents'
    case 'prompts/get':
      return 'prompt'
    case 'completion/complete':
      return 'values'
    default:
      return listOfMethod(method).kind
  }
}

const LONGEST_SAID = 50

function titleOf(group: CallGroup): string {
  const [first, ...others] = group
  if (first === undefined) return ''
  if (others.length > 0) {
    const targets = [...new Set(group.map(({ call }) => call.target || listOfMethod(call.method).kind))]
    const shown = targets.slice(0, 3).join(', then ')
    return targets.length > 3 ? `${shown} and more` : targets.length === 1 ? `${shown}, repeatedly` : shown
  }
  const { call, outcome } = first
  const { method, target } = call
  const what = method === 'tools/call' ? target : undefined
  if (outcome.type === 'error') {
    const code = isJsonObject(outcome.value) ? outcome.value['code'] : ''
    return `${what ?? titleOfRequest(method, target, call)} is refused with ${String(code)}`
  }
  if (what === undefined) return titleOfRequest(method, target, call)
  const result = isJsonObject(outcome.value) ? outcome.value : {}
  const said = saidBy(result)
  const verb = result['isError'] === true ? 'fails with' : 'returns'
  return `${what} ${verb} ${said ?? (result['structuredContent'] === undefined ? 'content' : 'structured content')}`
}

/** The text of a result, if it is short enough for a title. */
function saidBy({
  content,
  structuredContent,
  isError,
}: Readonly<Record<string, unknown>>): string | undefined {
  if (structuredContent !== undefined && isError !== true) return undefined
  const [only] = Array.isArray(content) ? (content as unknown[]) : []
  const text = isJsonObject(only) && typeof only['text'] === 'string' ? only['text'].trim() : ''
  return text === '' || text.length > LONGEST_SAID || /[\n\u0000-\u001f]/.test(text) ? undefined : `"${text}"`
}

function titleOfRequest(method: string, target: string, { params }: RecordedCall): string {
  switch (method) {
    case 'resources/read':
      return `reads ${target}`
    case 'prompts/get':
      return `gets the prompt ${target}`
    case 'completion/complete': {
      const { argument } = params
      const name =
        isJsonObject(argument) && typeof argument['name'] === 'string' ? argument['name'] : 'values'
      return `completes ${name} of ${target}`
    }
    case 'resources/list':
      return 'lists its resources'
    case 'resources/templates/list':
      return 'lists its resource templates'
    case 'prompts/list':
      return 'lists its prompts'
    default:
      return 'lists its tools'
  }
}

/** Names that were not given yet: `echo`, `echo2`. */
class Names {
  readonly #taken = new Set<string>(['mcp', 'answers', 'expect', 'test'])

  unique(name: string): string {
    let own = name
    for (let number = 2; this.#taken.has(own); number += 1) own = `${name}${number}`
    this.#taken.add(own)
    return own
  }
}

class Titles {
  readonly #taken = new Set<string>()

  unique(title: string): string {
    let own = title
    for (let number = 2; this.#taken.has(own); number += 1) own = `${title} (${number})`
    this.#taken.add(own)
    return own
  }
}
