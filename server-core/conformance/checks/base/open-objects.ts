import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { clientCheck, serverCheck } from '../../check.ts'
import { describeOutcome, shortJson, type Outcome } from '../../probe/outcome.ts'
import { answerQuestion, tourCapabilities } from '../../probe/tour-answers.ts'
import { questionsOf } from '../../probe/server-tour.ts'

const EXTRA = { patchbayExtra: { a: [1, 'b', null] } }

export const openResults = clientCheck(
  'base.result.open.client',
  async (exam) => {
    exam.content.instructions = 'Call echo.'
    const list = (member: string) => (result: JsonObject) => ({
      ...result,
      ...EXTRA,
      [member]: (Array.isArray(result[member]) ? (result[member] as unknown[]) : []).map((item) =>
        isJsonObject(item) ? { ...item, ...EXTRA } : item,
      ),
    })
    exam.alter(exam.isModern ? 'server/discover' : 'initialize', (result) => ({
      ...result,
      ...EXTRA,
      capabilities: { ...exam.content.capabilities, ...EXTRA },
      ...(!exam.isModern && { serverInfo: { ...exam.content.serverInfo, ...EXTRA } }),
    }))
    exam.alter('tools/list', list('tools'))
    exam.alter('resources/list', list('resources'))
    exam.alter('prompts/list', list('prompts'))
    exam.alter('tools/call', list('content'))
    exam.alter('resources/read', list('contents'))
    exam.alter('prompts/get', list('messages'))
    const outcome = await exam.run()
    exam.expect(outcome.type === 'done', {
      expected: 'a client that behaves as without the unknown members',
      actual: outcome.type === 'failed' ? outcome.message : '',
      member: '/result/patchbayExtra',
      frame: exam.received.at(-1)?.frame,
    })
    const methods = ['tools/call', 'resources/read', 'prompts/get']
    if (methods.every((method) => exam.messagesOf(method).length === 0))
      return exam.inconclusive('the client uses nothing of what is listed')
    // What a client of its own mind uses is its choice.
    const isDriven = await exam.isDriven()
    for (const method of isDriven ? methods : []) {
      exam.expect(exam.messagesOf(method).length > 0 || outcome.type === 'failed', {
        expected: `a listed item with unknown members is used (${method})`,
        actual: 'it was dropped',
        statement: 'jsonrpc.unknown-fields-ignored',
        frame: exam.received.at(-1)?.frame,
      })
    }
  },
  { title: 'Unknown members of results are ignored' },
)

export const openRequests = serverCheck(
  'base.request.open.server',
  async (probe) => {
    const judge = (what: string, outcome: Outcome, severity?: 'info') => {
      probe.expect(outcome.type === 'result', {
        expected: `a request with ${what} served as without`,
        actual: describeOutcome(outcome),
        frame: outcome.frame ?? outcome.sent,
        ...(severity !== undefined && { severity }),
      })
    }
    const capabilities = { patchbayUnknown: { a: 1 }, experimental: { 'com.example/unknown': {} } }
    const opened = await probe.open({ capabilities })
    const handshake = await opened.handshake()
    if (handshake !== undefined) judge('an unknown capability', handshake)
    const connection = handshake === undefined ? opened : await probe.connect()
    const { method } = probe.cheapRequest()
    if (handshake === undefined) judge('an unknown capability', await connection.call(method))
    judge('unknown parameters', await connection.call(method, { patchbayUnknown: [1] }))
    judge('unknown metadata', await connection.call(method, { _meta: { 'com.example/unknown': { a: 1 } } }))
    const extra = { ...connection.compose(method), patchbayUnknown: true }
    const outcome = await connection.exchange(extra, { match: 'any' })
    judge('an unknown member beside them', outcome, 'info')
    if (outcome.type === 'closed') judge('an unknown member beside them', outcome)
  },
  { title: 'Unknown members of requests are ignored' },
)

export const openAnswers = serverCheck(
  'base.result.open.server',
  async (probe) => {
    const kinds = (
      probe.cell.revision < '2025-06-18'
        ? (['sampling', 'roots'] as const)
        : (['sampling', 'elicitation', 'roots'] as const)
    ).flatMap((kind) => probe.findFixture(kind) ?? [])
    if (kinds.length === 0) probe.notApplicable('no tool that asks the client was found that may be called')
    const connection = await probe.connect({ capabilities: tourCapabilities(probe.cell.revision) })
    let wasAsked = false
    connection.inbox.onMessage(({ message }) => {
      const { id, method, params } = message
      if (typeof method !== 'string' || id === undefined) return
      wasAsked = true
      void connection
        .send({ jsonrpc: '2.0', id, result: { ...answerQuestion(method, params), ...EXTRA } })
        .catch(() => undefined)
    })
    for (const { name, arguments: args } of kinds) {
      let outcome = await connection.call('tools/call', { name, arguments: args })
      const answers = questionsOf(outcome)
      if (answers !== undefined) {
        wasAsked = true
        outcome = await connection.call('tools/call', { name, arguments: args, ...withExtra(answers) })
      }
      probe.expect(outcome.type === 'result' && outcome.result['isError'] !== true, {
        expected: `${name} served as without the unknown members of the answer`,
        actual: describeOutcome(outcome),
        frame: outcome.frame ?? outcome.sent,
      })
    }
    if (!wasAsked) probe.inconclusive('no tool asked the client')
  },
  { title: 'Unknown members of answers are ignored' },
)

function withExtra(answers: JsonObject): JsonObject {
  const { inputResponses, ...rest } = answers
  if (!isJsonObject(inputResponses)) return answers
  const responses = Object.entries(inputResponses).map(
    ([key, value]) => [key, isJsonObject(value) ? { ...value, ...EXTRA } : value] as const,
  )
  return { ...rest, inputResponses: Object.fromEntries(responses) }
}

/** Names that every object of JavaScript inherits, as JSON text so that they are own members. */
const INHERITED = '{"__proto__":{"polluted":true},"constructor":{"a":1},"toString":"b"}'
const inherited = (): JsonObject => {
  const value: unknown = JSON.parse(INHERITED)
  return isJsonObject(value) ? value : {}
}

export const prototypeKeys = serverCheck(
  'base.proto-keys',
  async (probe) => {
    const capabilities = { experimental: inherited() }
    const connection = await probe.connect({ capabilities })
    const { method } = probe.cheapRequest()
    const before = await connection.request(method)
    const call = async (name: string, args: JsonObject) => {
      const message = connection.compose('tools/call', { name, arguments: args, _meta: inherited() })
      return connection.exchange(message)
    }
    if (probe.declares('tools')) {
      for (const name of ['__proto__', 'constructor', 'toString']) {
        const outcome = await call(name, inherited())
        const isRefused =
          outcome.type === 'error' || (outcome.type === 'result' && outcome.result['isError'] === true)
        probe.expect(isRefused, {
          expected: `an error for the unknown tool ${name}`,
          actual: describeOutcome(outcome),
          member: '/params/name',
          frame: [...(outcome.frame === undefined ? [] : [outcome.frame]), outcome.sent],
        })
      }
      const echo = probe.findFixture('echo')
      if (echo !== undefined) {
        const outcome = await call(echo.name, { ...echo.arguments, ...inherited() })
        probe.expect(outcome.type === 'result' || outcome.type === 'error', {
          expected: 'a result or an error',
          actual: describeOutcome(outcome),
          member: '/params/arguments/__proto__',
          frame: outcome.frame ?? outcome.sent,
        })
      }
    }
    const after = await connection.call(method)
    probe.expect(after.type === 'result' && !isPolluted(after.result, before), {
      expected: 'the same answer as before',
      actual: after.type === 'result' ? shortJson(after.result) : describeOutcome(after),
      member: '/result',
      frame: after.frame ?? after.sent,
    })
  },
  { title: 'Names of inherited members are ordinary names' },
)

function isPolluted(after: JsonObject, before: JsonObject): boolean {
  return Object.keys(after).some((key) => !Object.hasOwn(before, key))
}

export const prototypeKeysClient = clientCheck(
  'base.proto-keys',
  async (exam) => {
    exam.alter('tools/list', (result) => ({ ...result, ...inherited(), _meta: { ...inherited() } }))
    exam.alter('tools/call', (result) => ({ ...result, structuredContent: inherited() }))
    exam.content.tools.push({ name: '__proto__', inputSchema: { type: 'object', properties: inherited() } })
    if (exam.isModern) keepServerInfo(exam.content.serverInfo, exam.alter.bind(exam))
    const outcome = await exam.run()
    const uses = ['tools/call', 'resources/read', 'prompts/get'].flatMap((method) => exam.messagesOf(method))
    if (outcome.type === 'done' && uses.length === 0)
      return exam.inconclusive('the client uses nothing of what is listed')
    if (outcome.type === 'done' && exam.messagesOf('tools/call').length === 0 && !(await exam.isDriven()))
      return exam.inconclusive('the client called no tool, and cannot be made to')
    exam.expect(outcome.type === 'done' && exam.messagesOf('tools/call').length > 0, {
      expected: 'a client that goes on',
      actual: outcome.type === 'failed' ? outcome.message : 'the listed tool was not called',
      member: '/result/__proto__',
      frame: exam.received.at(-1)?.frame,
    })
  },
  { title: 'Names of inherited members are ordinary names' },
)

function keepServerInfo(
  serverInfo: JsonObject,
  alter: (method: string, change: (result: JsonObject) => JsonObject) => void,
): void {
  const meta = () => ({ ...inherited(), 'io.modelcontextprotocol/serverInfo': serverInfo })
  alter('tools/list', (result) => ({ ...result, ...inherited(), _meta: meta() }))
}
