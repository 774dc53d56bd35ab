import { headerParametersOf } from '../../../protocol/header-parameters.ts'
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { passiveCheck, serverCheck } from '../../check.ts'
import type { CapturedFrame } from '../../frames/captured-frame.ts'
import type { Transcript } from '../../passive/transcript.ts'
import type { HttpConnection } from '../../probe/http-connection.ts'
import { describeOutcome, shortJson, type Outcome } from '../../probe/outcome.ts'

const ANNOTATION = 'x-mcp-header'

type Listed = {
  readonly schema: JsonObject
  readonly name: unknown
  readonly frame: CapturedFrame
  readonly pointer: string
}

/** The input schemas of all tools that the server listed, each once. */
function listedTools(transcript: Transcript): readonly Listed[] {
  const known = new Map<string, Listed>()
  for (const { message, frame, answers, pointer } of transcript.examined(
    ({ answers: request }) => request?.message['method'] === 'tools/list',
  )) {
    if (answers === undefined || !isJsonObject(message['result'])) continue
    const { tools } = message['result']
    for (const [index, tool] of (Array.isArray(tools) ? (tools as unknown[]) : []).entries()) {
      if (!isJsonObject(tool) || !isJsonObject(tool['inputSchema'])) continue
      const schema = tool['inputSchema']
      const place = `${pointer}/result/tools/${index}/inputSchema`
      known.set(JSON.stringify(tool), { schema, name: tool['name'], frame, pointer: place })
    }
  }
  return [...known.values()]
}

/** The statement that a reason is about. */
function statementOf(reason: string): string {
  if (reason.includes('"" is not a header name')) return 'http26.param.not-empty'
  if (/\\u00[01]|\\[nrt]/.test(reason)) return 'http26.param.no-control'
  if (reason.includes('is not a header name')) return 'http26.param.token-syntax'
  if (reason.includes('used twice')) return 'http26.param.unique'
  return reason.includes('the type must be') ? 'http26.param.primitive-only' : 'http26.param.static-reach'
}

export const serverPublishes = passiveCheck(
  'http26.param.server-publishes',
  (transcript) => {
    for (const { schema, name, frame, pointer } of listedTools(transcript)) {
      const parameters = headerParametersOf(schema)
      if (parameters.ok) continue
      transcript.fail({
        expected: `valid ${ANNOTATION} annotations on ${String(name)}`,
        actual: parameters.reason,
        statement: statementOf(parameters.reason),
        member: pointer,
        frame,
      })
    }
  },
  { title: 'Header annotations of tools are valid' },
)

export const safeIntegers = passiveCheck(
  'http26.server.safe-integers',
  (transcript) => {
    for (const { schema, frame, pointer } of listedTools(transcript)) {
      const parameters = headerParametersOf(schema)
      if (!parameters.ok) continue
      for (const { path, type } of parameters.parameters) {
        if (type !== 'integer') continue
        const property = path.reduce<unknown>(
          (at, step) =>
            isJsonObject(at) && isJsonObject(at['properties']) ? at['properties'][step] : undefined,
          schema,
        )
        if (!isJsonObject(property)) continue
        for (const bound of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']) {
          const value = property[bound]
          const isSafe = typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER
          transcript.expect(isSafe, {
            expected: 'a bound within 2^53-1',
            actual: shortJson(value),
            member: `${pointer}/properties/${path.join('/properties/')}/${bound}`,
            frame,
          })
        }
      }
    }
  },
  { title: 'Annotated integers stay within the safe range' },
)

/** The header of the first annotated parameter of a type. */
function annotated(
  schema: unknown,
  type: string,
): { readonly header: string; readonly key: string } | undefined {
  const parameters = isJsonObject(schema) ? headerParametersOf(schema) : undefined
  if (parameters?.ok !== true) return undefined
  const found = parameters.parameters.find((each) => each.type === type && each.path.length === 1)
  return found === undefined ? undefined : { header: found.header, key: found.path[0] ?? '' }
}

const isServed = (outcome: Outcome) => outcome.type === 'result'
const isRefused = (outcome: Outcome) =>
  outcome.type === 'error' && outcome.code === -32020 && outcome.http?.status === 400

async function callWith(
  connection: HttpConnection,
  name: string,
  args: JsonObject,
  headers: Readonly<Record<string, string | null>>,
): Promise<Outcome> {
  return connection.call('tools/call', { name, arguments: args }, { headers })
}

export const serverChecksHeader = serverCheck(
  'http26.param.server-checks',
  async (probe) => {
    const tool = probe.fixture('header-parameter')
    const found = annotated(tool.tool['inputSchema'], 'string')
    if (found === undefined) return probe.inconclusive('the tool has no annotated text')
    const { header, key } = found
    const connection = await probe.connectHttp()
    const args = { ...tool.arguments, [key]: 'north' }
    const { [key]: _, ...without } = tool.arguments
    const encoded = `=?base64?${Buffer.from('north').toString('base64')}?=`
    const cases = [
      { name: 'the same value', args, value: 'north', served: true },
      { name: 'the same value in base64', args, value: encoded, served: true },
      { name: 'another value', args, value: 'south', served: false },
      {
        name: 'no header',
        args,
        value: null,
        served: false,
        statement: 'http26.param.server-missing-reject',
      },
      {
        name: 'bad base64',
        args,
        value: '=?base64?%%%?=',
        served: false,
        statement: 'http26.param.invalid-chars-reject',
      },
      {
        name: 'no header and no argument',
        args: without,
        value: null,
        served: true,
        statement: 'http26.param.server-null-not-expected',
      },
    ]
    for (const { name, args: given, value, served, statement } of cases) {
      const outcome = await callWith(connection, tool.name, given, { [header]: value })
      // A tool may want its argument: whatever it says then is not about headers.
      const isTaken =
        isServed(outcome) || (given === without && outcome.type === 'error' && outcome.code !== -32020)
      probe.expect(served ? isTaken : isRefused(outcome), {
        expected: served ? `a call with ${name} served` : `400 with -32020 for ${name}`,
        actual: describeOutcome(outcome),
        statement: statement ?? 'http26.param.server-compares',
        frame: outcome.frame ?? outcome.sent,
      })
    }
    const extra = await callWith(connection, tool.name, without, { [header]: 'north' })
    probe.expect(extra.type === 'result' || extra.type === 'error', {
      expected: 'a header without its argument refused with -32020, or ignored',
      actual: describeOutcome(extra),
      statement: 'http26.param.server-compares',
      frame: extra.frame ?? extra.sent,
    })
  },
  { title: 'Headers of arguments are compared with them' },
)

export const serverComparesIntegers = serverCheck(
  'http26.param.server-integer',
  async (probe) => {
    const tool = probe.fixture('header-integer')
    const found = annotated(tool.tool['inputSchema'], 'integer')
    if (found === undefined) return probe.inconclusive('the tool has no annotated integer')
    const connection = await probe.connectHttp()
    const args = { ...tool.arguments, [found.key]: 42 }
    for (const value of ['42', '42.0', '43']) {
      const outcome = await callWith(connection, tool.name, args, { [found.header]: value })
      const isRight = value === '43' ? isRefused(outcome) : isServed(outcome)
      if (isRight) continue
      probe.warn({
        expected: value === '43' ? '400 with -32020 for 43' : `the header ${value} taken for 42`,
        actual: describeOutcome(outcome),
        frame: outcome.frame ?? outcome.sent,
      })
    }
  },
  { title: 'Headers of integers are compared by value' },
)
