import { isJsonObject } from '../../../protocol/json.ts'
import { clientCheck, passiveCheck, serverCheck } from '../../check.ts'
import type { ProbeConnection } from '../../probe/connection.ts'
import { isResponse } from '../../probe/inbox.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'
import { UNKNOWN_TOOL } from '../../probe/permission.ts'
import { elapsed } from '../../probe/waits.ts'
import { randomNumbers, spoil } from './random-messages.ts'

const MESSAGES = 5_000
/** Most milliseconds of a flood; at least one hundred messages are sent whatever it takes. */
const FLOOD_MS = 10_000
const BARRIER_MS = 30_000

export const serverFuzz = serverCheck(
  'neg.server.fuzz',
  async (probe) => {
    const random = randomNumbers(probe.seed)
    const until = performance.now() + FLOOD_MS
    let connection = await probe.connect()
    let number = 0
    while (number < MESSAGES && (number === 0 || performance.now() < until)) {
      const ids = new Set<string>()
      for (let count = 0; count < 100; count += 1) {
        const id = `fuzz-${(number += 1)}`
        ids.add(id)
        const bases = [
          connection.compose('tools/list', {}, { id }),
          connection.compose('tools/call', { name: UNKNOWN_TOOL, arguments: { text: 'a' } }, { id }),
          connection.compose('resources/read', { uri: 'patchbay://none' }, { id }),
          connection.compose('prompts/get', { name: 'patchbay-none', arguments: {} }, { id }),
        ]
        const base = bases[count % bases.length]
        if (base !== undefined) await connection.send(spoil(base, random))
        if (connection.closedReason !== undefined) break
      }
      const { method, params } = probe.cheapRequest()
      const barrier = await connection.call(method, params, { timeoutMs: BARRIER_MS })
      judgeAnswers(probe, connection, ids)
      if (barrier.type === 'closed' && connection.transport !== 'stdio') {
        connection = await reopen(probe)
        continue
      }
      const serves = barrier.type === 'result' || barrier.type === 'error'
      if (
        !probe.expect(serves, {
          expected: `the server serves on after ${number} spoiled messages`,
          actual: describeOutcome(barrier),
          statement: 'jsonrpc.invalid-request',
          frame: barrier.sent,
        })
      )
        return
    }
  },
  { title: 'Spoiled messages neither end the server nor are answered twice', slow: true },
)

async function reopen(probe: Parameters<typeof serverFuzz.run>[0]): Promise<ProbeConnection> {
  const connection = await probe.open()
  const outcome = await connection.handshake()
  if (outcome !== undefined && outcome.type !== 'result')
    probe.fail({
      expected: 'a server that can be connected to again',
      actual: describeOutcome(outcome),
      statement: 'jsonrpc.invalid-request',
      frame: outcome.sent,
    })
  return connection
}

function judgeAnswers(
  probe: Parameters<typeof serverFuzz.run>[0],
  connection: ProbeConnection,
  ids: ReadonlySet<string>,
): void {
  const answers = new Map<unknown, number>()
  for (const { message, frame } of connection.received) {
    const { id } = message
    if (!isResponse(message) || typeof id !== 'string' || !ids.has(id)) continue
    const count = (answers.get(id) ?? 0) + 1
    answers.set(id, count)
    probe.expect(count === 1, {
      expected: `one answer to ${id}`,
      actual: 'two',
      statement: 'base.response.exclusive',
      frame,
    })
  }
}

export const clientFuzz = clientCheck(
  'neg.client.fuzz',
  async (exam) => {
    const random = randomNumbers(exam.seed)
    let spoils = false
    exam.set({ requestTimeoutMs: 2_000 })
    exam.on('tools/list', (turn) => {
      const reply = turn.usual()
      if (!spoils || !('result' in reply)) return reply
      if (turn.count % 10 === 1) return { result: { ...reply.result, tools: [null, ...exam.content.tools] } }
      return { bytes: spoil({ jsonrpc: '2.0', id: turn.request['id'], result: reply.result }, random) }
    })
    const first = await exam.step({ type: 'list', list: 'tools' })
    if (first.type === 'failed') return exam.inconclusive(`the client could not list tools: ${first.message}`)
    spoils = true
    const until = performance.now() + FLOOD_MS
    for (let count = 0; count < 1_000 && (count < 20 || performance.now() < until); count += 1) {
      const step = exam.step({ type: 'list', list: 'tools' })
      const outcome = await Promise.race([step, elapsed(BARRIER_MS).then(() => undefined)])
      const isOver = exam.connections.at(-1)?.closedReason !== undefined
      if (
        !exam.expect(outcome !== undefined, {
          expected: 'a result or an error for the user',
          actual: 'the client hangs',
          statement: 'base.result.open-object',
          frame: exam.messagesOf('tools/list').at(-1)?.frame,
        })
      )
        return
      if (isOver) await exam.step({ type: 'connect' })
    }
    spoils = false
    await exam.step({ type: 'connect' })
    const last = await exam.step({ type: 'list', list: 'tools' })
    exam.expect(last.type === 'done', {
      expected: 'a client that lives, and lists tools again',
      actual: shortJson(last),
      statement: 'base.result.open-object',
      frame: exam.messagesOf('tools/list').at(-1)?.frame,
    })
  },
  { title: 'Spoiled answers do not end the client', slow: true },
)

export const badListItem = clientCheck(
  'neg.client.bad-list-item',
  async (exam) => {
    const [echo] = exam.content.tools
    const bad: readonly object[] = [
      { name: 'bad', description: 'Lacks its schema.' },
      { ...echo, name: null },
    ]
    const good = Array.from({ length: 19 }, (_, index) => ({
      ...echo,
      name: index === 0 ? 'echo' : `tool-${index}`,
    }))
    for (const item of bad) {
      exam.content.tools = [...good.slice(0, 9), item as (typeof good)[number], ...good.slice(9)]
      const outcome = await exam.step({ type: 'list', list: 'tools' })
      const frame = exam.messagesOf('tools/list').at(-1)?.frame
      const listed = outcome.type === 'done' && Array.isArray(outcome.value) ? outcome.value.length : 0
      if (listed < 19)
        exam.inform({
          expected: 'the other nineteen tools usable',
          actual: outcome.type === 'failed' ? outcome.message : `${listed} tools`,
          member: '/result/tools',
          statement: 'tools.input-schema-object',
          frame,
        })
      const call = await exam.step({ type: 'call', tool: 'echo', arguments: { text: 'exam' } })
      exam.expect(call.type === 'done', {
        expected: 'a client that goes on',
        actual: shortJson(call),
        statement: 'base.result.open-object',
        frame,
      })
    }
  },
  { title: 'One bad item does not spoil a list' },
)

export const headerInjection = clientCheck(
  'neg.http.header-injection',
  async (exam) => {
    const [echo] = exam.content.tools
    const value = 'bad\r\nX-Patchbay-Injected: 1'
    exam.content.tools = [
      ...exam.content.tools,
      ...[value, 'zero\u0000byte'].map((name) => ({ ...echo, name })),
    ]
    exam.content.resources = [...exam.content.resources, { uri: `exam://${value}`, name: 'bad' }]
    await exam.step({ type: 'list', list: 'tools' })
    await exam.step({ type: 'list', list: 'resources' })
    for (const name of [value, 'zero\u0000byte'])
      await exam.step({ type: 'call', tool: name, arguments: { text: 'exam' } })
    await exam.step({ type: 'read', uri: `exam://${value}` })
    for (const { headers, frame } of exam.exchanges)
      exam.expect(headers['x-patchbay-injected'] === undefined, {
        expected: 'line ends in names encoded or refused',
        actual: 'a header of its own',
        member: '/headers/x-patchbay-injected',
        frame,
      })
  },
  { title: 'Names with line ends make no headers' },
)

const CALLS = { stdio: 500, websocket: 500, http: 60, sse: 60 } as const

export const concurrency = serverCheck(
  'neg.server.concurrency',
  async (probe) => {
    const tool = probe.fixture('echo')
    const sessions = [await probe.connect(), await probe.connect()]
    const count = CALLS[probe.cell.transport]
    const random = randomNumbers(probe.seed)
    const ids = Array.from({ length: count }, (_, index) => index + 1_000).toSorted(() => random() - 0.5)
    const member = Object.keys(tool.arguments)[0] ?? 'text'
    const calls = sessions.flatMap((connection, session) =>
      ids.map(async (id) => {
        const text = `patchbay-concurrency ${session} ${id}`
        const params = { name: tool.name, arguments: { ...tool.arguments, [member]: text } }
        return { text, outcome: await connection.call('tools/call', params, { id, timeoutMs: BARRIER_MS }) }
      }),
    )
    for (const { text, outcome } of await Promise.all(calls)) {
      if (outcome.type !== 'result') continue
      const foreign = /patchbay-concurrency \d+ \d+/.exec(JSON.stringify(outcome.result))?.[0]
      const isOwn = foreign === undefined || foreign === text
      if (
        !probe.expect(isOwn, {
          expected: `an answer to "${text}"`,
          actual: `the answer to "${foreign ?? ''}"`,
          member: '/result',
          statement: probe.isModern ? 'stateless.interleaved-conversations' : 'base.response.id-echo',
          frame: outcome.frame,
        })
      )
        break
    }
  },
  { title: 'Many calls at once are each answered by their own result', slow: true },
)

const SECRET = /\b(?:[A-Z][A-Z0-9_]*(?:SECRET|TOKEN|PASSWORD|API_KEY|CANARY))\s*[=:]\s*\S+/
const STACK = /\n\s+at .+:\d+:\d+|Traceback \(most recent call last\)/
const LOCAL_PATH = /(?:\/home\/|\/Users\/|[A-Z]:\\Users\\)\S+/

export const errorSecrets = passiveCheck(
  'neg.server.error-secrets',
  (transcript) => {
    for (const { message, frame, pointer } of transcript.examined(({ message: { error } }) =>
      isJsonObject(error),
    )) {
      const error = isJsonObject(message['error']) ? message['error'] : {}
      const text = `${String(error['message'])}\n${JSON.stringify(error['data'] ?? null)}`
      const secret = SECRET.exec(text)
      const member = `${pointer}/error`
      if (secret !== null)
        transcript.fail({ expected: 'no secrets in errors', actual: shortJson(secret[0]), member, frame })
      const inner = STACK.exec(text) ?? LOCAL_PATH.exec(text)
      if (inner !== null)
        transcript.inform({
          expected: 'no stack and no local path in errors',
          actual: shortJson(inner[0]),
          member,
          frame,
        })
    }
  },
  { title: 'Errors give no secrets away' },
)

export const kill = clientCheck(
  'neg.stdio.kill',
  async (exam) => {
    exam.on('tools/list', () => {
      exam.server.control('exit 1')
      return { silent: true }
    })
    await exam.connect()
    const step = exam.step({ type: 'list', list: 'tools' })
    const outcome = await Promise.race([step, elapsed(exam.waits.answerMs * 3).then(() => undefined)])
    if (outcome?.type !== 'failed')
      exam.warn({
        expected: 'the end of the server reported',
        actual: outcome === undefined ? 'the client waits still' : shortJson(outcome),
        statement: 'lifecycle.errors.prepared',
        frame: exam.messagesOf('tools/list')[0]?.frame,
      })
  },
  { title: 'The client notices that its server was killed' },
)
