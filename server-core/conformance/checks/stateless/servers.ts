import type { JsonObject } from '../../../protocol/json.ts'
import { clientCheck, serverCheck } from '../../check.ts'
import { describeOutcome, shortJson, type Outcome } from '../../probe/outcome.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'

const ASKS = { elicitation: { form: {} } }

export const noContext = serverCheck(
  'stateless.server.no-context',
  async (probe) => {
    const tool = probe.fixture('input-required')
    const connection = await probe.connect()
    const call = (capabilities: JsonObject): Promise<Outcome> =>
      connection.call(
        'tools/call',
        { name: tool.name, arguments: tool.arguments },
        { envelope: { [MetaKey.clientCapabilities]: capabilities } },
      )
    const asks = (outcome: Outcome) =>
      outcome.type === 'result' && outcome.result['resultType'] === 'input_required'
    const first = await call(ASKS)
    if (!asks(first)) probe.inconclusive(`the tool asks nothing: ${describeOutcome(first)}`)
    const second = await call({})
    probe.expect(!asks(second), {
      expected: 'no question to a request that declares no elicitation',
      actual: describeOutcome(second),
      member: '/result/resultType',
      statement: 'meta.capability.no-memory',
      frame: [second.sent, ...(second.frame === undefined ? [] : [second.frame])],
    })
  },
  { title: 'Capabilities of an earlier request are forgotten' },
)

export const anyConnection = serverCheck(
  'stateless.server.any-connection',
  async (probe) => {
    const list = ['tools', 'resources', 'prompts'].find((each) => probe.declares(each))
    if (list === undefined) return probe.notApplicable('the server declares no list')
    const first = await probe.connect()
    const page = await first.request(`${list}/list`)
    const second = await probe.connect()
    const cursor = page['nextCursor']
    const simple = probe.findFixture('simple')
    const attempts = [
      ...(simple === undefined
        ? []
        : [{ method: 'tools/call', params: { name: simple.name, arguments: simple.arguments } }]),
      { method: `${list}/list`, params: typeof cursor === 'string' ? { cursor } : {} },
    ]
    for (const { method, params } of attempts) {
      const outcome = await second.call(method, params)
      if (outcome.type === 'result') continue
      const input = {
        expected: `${method} served on another connection`,
        actual: describeOutcome(outcome),
        frame: outcome.frame ?? outcome.sent,
      }
      const isCursor = 'cursor' in params && outcome.type === 'error' && outcome.code === -32602
      if (isCursor) probe.inform(input)
      else probe.warn(input)
    }
  },
  { title: 'What began on one connection goes on on another' },
)

const REQUESTS = 50

export const interleaved = serverCheck(
  'stateless.server.interleaved',
  async (probe) => {
    const connection = await probe.connect()
    const clients = ['patchbay-one', 'patchbay-two']
    const echo = probe.findFixture('echo')
    const listed = probe.declares('tools') ? 'tools/list' : 'server/discover'
    const outcomes = await Promise.all(
      Array.from({ length: REQUESTS }, (_, index) => {
        const name = clients[index % 2] ?? ''
        const envelope = { [MetaKey.clientInfo]: { name, version: '1.0.0' } }
        const key = Object.keys(echo?.arguments ?? {})[0] ?? 'text'
        const text = `${name} ${index}`
        const isCall = echo !== undefined && index % 5 < 2
        const params = isCall ? { name: echo.name, arguments: { ...echo.arguments, [key]: text } } : undefined
        return connection.call(isCall ? 'tools/call' : listed, params, { envelope }).then((outcome) => ({
          outcome,
          text: isCall ? text : undefined,
          other: clients[(index + 1) % 2] ?? '',
        }))
      }),
    )
    for (const { outcome, text, other } of outcomes) {
      const content = outcome.type === 'result' ? JSON.stringify(outcome.result) : ''
      const isOwn =
        outcome.type === 'result' &&
        (text === undefined || content.includes(text)) &&
        !content.includes(other)
      if (isOwn) continue
      probe.warn({
        expected: text === undefined ? 'the answer of each client alone' : `the text "${text}"`,
        actual: describeOutcome(outcome),
        frame: outcome.frame ?? outcome.sent,
      })
    }
  },
  { title: 'Requests of two clients on one connection are kept apart' },
)

export const handles = serverCheck(
  'stateless.server.handles',
  async (probe) => {
    const tool = probe.fixture('cross-request-state')
    const first = await probe.connect()
    const created = await first.request('tools/call', { name: tool.name, arguments: tool.arguments })
    const handle = handleIn(created)
    if (handle === undefined) return probe.inconclusive(`no handle in ${shortJson(created)}`)
    const second = await probe.connect()
    const use = async (args: JsonObject, connection = second) =>
      connection.call('tools/call', { name: tool.name, arguments: args })
    const byHandle = await use({ handle })
    const served = (outcome: Outcome) => outcome.type === 'result' && outcome.result['isError'] !== true
    probe.expect(served(byHandle), {
      expected: 'the state found by its handle on another connection',
      actual: describeOutcome(byHandle),
      frame: byHandle.frame ?? byHandle.sent,
    })
    const without = await use({ use: true }, first)
    probe.expect(!served(without), {
      expected: 'no state without a handle, on the connection that made it',
      actual: describeOutcome(without),
      frame: without.frame ?? without.sent,
    })
  },
  { title: 'State is found by its handle, not by its connection' },
)

function handleIn({ structuredContent }: JsonObject): unknown {
  return typeof structuredContent === 'object' && structuredContent !== null && 'handle' in structuredContent
    ? structuredContent.handle
    : undefined
}

export const oneProcess = clientCheck(
  'stateless.client.process',
  async (exam) => {
    await exam.connect()
    await exam.step({ type: 'list', list: 'tools' })
    const first = await exam.step({ type: 'new-conversation' })
    if (first.type === 'failed') exam.inconclusive(`no further conversation: ${first.message}`)
    const second = await exam.step({ type: 'list', list: 'tools' })
    if (second.type === 'failed') exam.inconclusive(`no further conversation: ${second.message}`)
    if (exam.connections.length === 1) return
    exam.warn({
      expected: 'one process for both conversations',
      actual: `${exam.connections.length} processes`,
      frame: exam.received.at(-1)?.frame,
    })
  },
  { title: 'A process serves several conversations' },
)
