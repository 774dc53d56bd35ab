import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { clientCheck } from '../../check.ts'
import type { ClientExam } from '../../exam/client-exam.ts'
import type { ExamHttp } from '../../exam/exam-http.ts'
import { shortJson } from '../../probe/outcome.ts'
import { isPlain, marker } from './client-headers.ts'

const header = (name: string, type = 'string') => ({ type, 'x-mcp-header': name })

const TOOL = {
  name: 'annotated',
  inputSchema: {
    type: 'object',
    properties: {
      text: header('Text'),
      count: header('Count', 'integer'),
      flag: header('Flag', 'boolean'),
      plain: { type: 'string' },
      nested: { type: 'object', properties: { inner: header('Inner') } },
    },
  },
} satisfies JsonObject

/** Offers the annotated tool, and calls it with certain arguments; gives the request, if there was one. */
async function calls(
  exam: ClientExam,
  each: readonly JsonObject[],
): Promise<readonly { readonly args: JsonObject; readonly request: ExamHttp | undefined }[]> {
  exam.content.tools = [TOOL]
  await exam.connect()
  await exam.step({ type: 'list', list: 'tools' })
  const made: { args: JsonObject; request: ExamHttp | undefined }[] = []
  for (const args of each) {
    const mark = exam.exchanges.length
    await exam.step({ type: 'call', tool: TOOL.name, arguments: args })
    const request = exam.exchanges
      .slice(mark)
      .find(({ json }) => isJsonObject(json) && json['method'] === 'tools/call')
    made.push({ args, request })
  }
  if (made.every(({ request }) => request === undefined))
    exam.inconclusive('the client did not call the tool')
  return made
}

function argumentsOf({ json }: ExamHttp): JsonObject {
  const params = isJsonObject(json) && isJsonObject(json['params']) ? json['params'] : {}
  return isJsonObject(params['arguments']) ? params['arguments'] : {}
}

const TEXTS = ['plain', '', 'Grüße', ' padded ', '\u0001', 'a\tb', '=?base64?eA==?=', 'a b']

/** The values that a header may have for a text; tabs and the empty text may go either way. */
function allowed(text: string): readonly string[] {
  if (text === '') return ['', marker('')]
  if (isPlain(text)) return [text]
  return /^[\x21-\x7e][\t\x20-\x7e]*[\x21-\x7e]$/.test(text) && !text.startsWith('=?')
    ? [text, marker(text)]
    : [marker(text)]
}

export const mirrors = clientCheck(
  'http26.param.client-mirrors',
  async (exam) => {
    const made = await calls(exam, [
      ...TEXTS.map((text) => ({ text })),
      { text: 'x', count: 7, flag: true, nested: { inner: 'deep' } },
    ])
    for (const { args, request } of made) {
      if (request === undefined) continue
      const expect = (name: string, values: readonly string[]) => {
        const value = request.headers[`mcp-param-${name}`]
        const isRaw = value !== undefined && !values.includes(value)
        exam.expect(value !== undefined && values.includes(value), {
          expected: `Mcp-Param-${name} ${values.map(shortJson).join(' or ')}`,
          actual: shortJson(value),
          statement: isRaw
            ? values[0]?.startsWith('=?') === true
              ? 'http26.param.base64-unsafe'
              : 'http26.param.encode'
            : 'http26.param.present',
          frame: request.frame,
        })
      }
      expect('text', allowed(String(args['text'])))
      if ('count' in args) {
        expect('count', ['7'])
        expect('flag', ['true'])
        expect('inner', ['deep'])
      }
      const sent = argumentsOf(request)
      exam.expect(JSON.stringify(sent) === JSON.stringify(args), {
        expected: `the arguments ${shortJson(args)}`,
        actual: shortJson(sent),
        member: '/params/arguments',
        statement: 'tools.x-mcp-header',
        frame: request.frame,
      })
    }
  },
  { title: 'Annotated arguments are repeated in headers' },
)

export const omits = clientCheck(
  'http26.param.client-omits',
  async (exam) => {
    const made = await calls(exam, [{ text: null, plain: 'x' }, {}, { plain: 'x' }])
    for (const { args, request } of made) {
      if (request === undefined) continue
      const sent = Object.keys(request.headers).find((name) => name.startsWith('mcp-param-'))
      exam.expect(sent === undefined, {
        expected: 'no header for null, absent and plain arguments',
        actual: `${sent ?? ''}: ${shortJson(request.headers[sent ?? ''])}`,
        statement: 'text' in args ? 'http26.param.null-omitted' : 'http26.param.absent-omitted',
        frame: request.frame,
      })
    }
  },
  { title: 'Null and absent arguments have no header' },
)

const INTEGERS = [0, -1, Number.MAX_SAFE_INTEGER, 1e3]

export const integers = clientCheck(
  'http26.param.client-integers',
  async (exam) => {
    const made = await calls(
      exam,
      INTEGERS.map((count) => ({ count })),
    )
    for (const { args, request } of made) {
      if (request === undefined) continue
      const value = request.headers['mcp-param-count']
      exam.expect(value === String(args['count']), {
        expected: `Mcp-Param-Count ${String(args['count'])}`,
        actual: shortJson(value),
        frame: request.frame,
      })
    }
  },
  { title: 'Integers are written in decimal digits' },
)

const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties })
const BAD_TOOLS: readonly { readonly name: string; readonly inputSchema: JsonObject }[] = [
  { name: 'empty', inputSchema: object({ a: header('') }) },
  { name: 'spaced', inputSchema: object({ a: header('A B') }) },
  { name: 'colon', inputSchema: object({ a: header('A:B') }) },
  { name: 'duplicate', inputSchema: object({ a: header('Same'), b: header('SAME') }) },
  { name: 'number', inputSchema: object({ a: header('A', 'number') }) },
  { name: 'object', inputSchema: object({ a: header('A', 'object') }) },
  { name: 'items', inputSchema: object({ a: { type: 'array', items: header('A') } }) },
  {
    name: 'reference',
    inputSchema: { ...object({ a: { $ref: '#/$defs/a' } }), $defs: { a: header('A') } },
  },
]
const GOOD_TOOL = { name: 'good', inputSchema: object({ a: header('Good') }) }

export const rejects = clientCheck(
  'http26.param.client-rejects',
  async (exam) => {
    exam.content.tools = [BAD_TOOLS[0], GOOD_TOOL, ...BAD_TOOLS.slice(1)].flatMap((tool) => tool ?? [])
    await exam.connect()
    const listed = await exam.step({ type: 'list', list: 'tools' })
    const names =
      listed.type === 'done' && Array.isArray(listed.value) ? toolNames(listed.value as unknown[]) : undefined
    const frame = exam.messagesOf('tools/list').at(-1)?.frame
    exam.expect(names === undefined || names.includes('good'), {
      expected: 'the good tool among those listed',
      actual: shortJson(names),
      statement: 'http26.param.client-rejects-tool',
      frame,
    })
    // What the client leaves out of its list is not offered to its user.
    for (const { name } of [GOOD_TOOL, ...BAD_TOOLS]) {
      if (names === undefined || names.includes(name))
        await exam.step({ type: 'call', tool: name, arguments: { a: 'x' } })
    }
    const called = exam.messagesOf('tools/call').map(({ message, frame: sent }) => ({
      name: isJsonObject(message['params']) ? message['params']['name'] : undefined,
      frame: sent,
    }))
    exam.expect(
      called.some(({ name }) => name === 'good'),
      {
        expected: 'the good tool called',
        actual: shortJson(called.map(({ name }) => name)),
        statement:
          exam.cell.transport === 'stdio' ? 'http26.param.stdio-ignores' : 'http26.param.client-rejects-tool',
        frame,
      },
    )
    if (exam.cell.transport === 'stdio') return
    const bad = called.find(({ name }) => name !== 'good')
    exam.expect(bad === undefined, {
      expected: 'no tool called whose annotations are invalid',
      actual: shortJson(bad?.name),
      statement: 'http26.param.client-rejects-tool',
      frame: bad?.frame,
    })
  },
  { title: 'Tools with invalid header annotations are left out over HTTP' },
)

function toolNames(tools: readonly unknown[]): readonly unknown[] {
  return tools.map((tool) => (isJsonObject(tool) ? tool['name'] : undefined))
}

/** More calls than this are an endless retry. */
const MOST_CALLS = 3

export const relists = clientCheck(
  'http26.param.client-relists',
  async (exam) => {
    const plain = { name: TOOL.name, inputSchema: object({ text: { type: 'string' } }) }
    exam.content.tools = [plain]
    await exam.connect()
    await exam.step({ type: 'list', list: 'tools' })
    const before = exam.messagesOf('tools/list').length
    exam.content.tools = [TOOL]
    exam.on('tools/call', (turn) => {
      if (turn.headers['mcp-param-text'] !== undefined) return turn.usual()
      const error = { code: -32020, message: 'Mcp-Param-Text is missing' }
      const body = JSON.stringify({ jsonrpc: '2.0', id: turn.request['id'], error })
      return { http: { status: 400, headers: { 'content-type': 'application/json' }, body } }
    })
    const outcome = await exam.ending(
      exam.step({ type: 'call', tool: TOOL.name, arguments: { text: 'north' } }),
    )
    const sent = exam.messagesOf('tools/call')
    const frame = sent.at(-1)?.frame
    if (sent.length > MOST_CALLS || outcome.type === 'hangs') {
      exam.fail({ expected: 'one retry', actual: `${sent.length} calls`, frame })
    } else if (outcome.type !== 'done' || exam.messagesOf('tools/list').length === before) {
      exam.warn({
        expected: 'tools/list, then the call again with the header',
        actual: outcome.type === 'failed' ? outcome.message : 'no tools/list',
        frame,
      })
    }
  },
  { title: 'A refused header leads to a fresh list and one retry' },
)
