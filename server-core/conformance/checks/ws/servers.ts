import { randomBytes } from 'node:crypto'
import { isJsonObject } from '../../../protocol/json.ts'
import { serverCheck } from '../../check.ts'
import type { HttpExchange } from '../../probe/http-exchange.ts'
import { isSameId, isResponse } from '../../probe/inbox.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { elapsed } from '../../probe/waits.ts'
import { describeHead, headOf } from '../http/http-probing.ts'

/** Asks for a WebSocket by a request of its own, and gives what it was answered by. */
function upgrade(
  probe: ServerProbe,
  headers: Readonly<Record<string, string>>,
  isBare = false,
): HttpExchange {
  return probe.http({
    method: 'GET',
    headers: {
      ...(!isBare && probe.target.headers),
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
      ...headers,
    },
  })
}

const OFFERS = ['mcp', 'other, mcp, third', undefined, 'MCP']

export const subprotocol = serverCheck(
  'ws.server.subprotocol',
  async (probe) => {
    for (const offer of OFFERS) {
      const exchange = upgrade(probe, offer === undefined ? {} : { 'sec-websocket-protocol': offer })
      const head = await headOf(probe, exchange)
      exchange.close()
      const chosen = head?.headers['sec-websocket-protocol']
      const frame = exchange.responseFrame ?? exchange.requestFrame
      const isOffered = offer?.split(', ').includes('mcp') === true
      const actual = head?.status === 101 ? `101 with ${shortJson(chosen)}` : describeHead(head)
      if (isOffered || chosen !== undefined) {
        probe.expect(head?.status === 101 && chosen === 'mcp', {
          expected: isOffered ? '101 with the subprotocol mcp' : '400',
          actual,
          statement: 'ws.subprotocol-echoed',
          frame,
        })
      } else if (head?.status !== 400) {
        probe.inform({
          expected: `400 for an offer of ${offer ?? 'nothing'}`,
          actual,
          statement: 'ws.subprotocol-missing-400',
          frame,
        })
      }
    }
  },
  { title: 'The server selects the subprotocol mcp' },
)

export const frames = serverCheck(
  'ws.server.frames',
  async (probe) => {
    const connection = await probe.connectWebSocket()
    const { method } = probe.cheapRequest()
    const fragmented = await connection.exchange(connection.compose(method), { splitAt: [5, 20] })
    probe.expect(fragmented.type === 'result' || fragmented.type === 'error', {
      expected: 'a request in three fragments answered',
      actual: describeOutcome(fragmented),
      statement: 'ws.fragments',
      frame: fragmented.frame ?? fragmented.sent,
    })
    probe.expect(await connection.ping(), {
      expected: 'a pong',
      actual: 'none',
      statement: 'ws.ping-pong',
      frame: connection.inbox.frames.at(-1),
    })
    const two = `${JSON.stringify(connection.compose(method))}${JSON.stringify(connection.compose(method))}`
    for (const { name, text, codes, statement } of [
      { name: 'two messages in one', text: two, codes: [-32700, -32600], statement: 'ws.text-frames' },
      { name: 'text that is not JSON', text: 'garbage', codes: [-32700], statement: 'ws.unparsable-32700' },
    ]) {
      const from = connection.received.length
      const { frame } = await connection.send(text)
      const answer = await connection.waitFor(({ message }) => isResponse(message), { from })
      const error = isJsonObject(answer?.message['error']) ? answer.message['error'] : {}
      const hasNoId = answer?.message['id'] === undefined || answer.message['id'] === null
      if (answer === undefined) probe.timedOut = true
      probe.expect(codes.includes(Number(error['code'])) && hasNoId, {
        expected: `error ${codes.join(' or ')} without id for ${name}`,
        actual: answer === undefined ? (connection.closedReason ?? 'no answer') : shortJson(answer.message),
        statement,
        frame: answer === undefined ? frame : [frame, answer.frame],
      })
    }
    const { frame } = await connection.send(connection.compose(method), { binary: true })
    await Promise.race([connection.closed, elapsed(probe.waits.answerMs)])
    if (connection.closedReason === undefined) probe.timedOut = true
    probe.expect(connection.closeCode === 1003, {
      expected: 'a close with 1003 after a binary message',
      actual: connection.closedReason ?? 'an open connection',
      statement: 'ws.binary-1003',
      frame,
    })
  },
  { title: 'Frames of every kind are read by the rules' },
)

const BIG = 64 * 1024 * 1024
/** So long may it take to cross a slow machine. */
const BIG_MS = 30_000

export const big = serverCheck(
  'ws.server.big',
  async (probe) => {
    const connection = await probe.connectWebSocket()
    const { method } = probe.cheapRequest()
    const request = connection.compose(method, { _meta: { 'patchbay/padding': 'x'.repeat(BIG) } })
    const outcome = await connection.exchange(request, {
      timeoutMs: Math.max(probe.waits.answerMs * 4, BIG_MS),
    })
    const isTooBig = connection.closeCode === 1009
    const frame = outcome.frame ?? outcome.sent
    if (!isTooBig && outcome.type !== 'result' && outcome.type !== 'error') {
      probe.warn({ expected: 'a close with 1009, or an answer', actual: describeOutcome(outcome), frame })
    }
    try {
      const again = await probe.connectWebSocket()
      await again.barrier()
    } catch {
      probe.fail({ expected: 'a server that lives on', actual: 'no connection to it', frame })
    }
  },
  { title: 'A message that is too big ends the connection alone' },
)

export const origin = serverCheck(
  'ws.server.origin',
  async (probe) => {
    const offer = { 'sec-websocket-protocol': 'mcp' }
    const isProtected = probe.target.headers?.['authorization'] !== undefined
    const cases = [
      { name: 'a foreign Origin', headers: { origin: 'http://evil.example' }, status: 403, isBare: false },
      { name: 'a foreign Host', headers: { host: 'evil.example' }, status: 403, isBare: false },
      ...(isProtected ? [{ name: 'no token', headers: {}, status: 401, isBare: true }] : []),
    ]
    const url = new URL(probe.target.websocket ?? 'ws://localhost')
    const isLoopback = /^(127\.|localhost$|\[::1\]$)/.test(url.hostname)
    for (const { name, headers, status, isBare } of cases) {
      // Which names a server on a network has is its own matter.
      if ('host' in headers && !isLoopback) continue
      const exchange = upgrade(probe, { ...offer, ...headers }, isBare)
      const head = await headOf(probe, exchange)
      exchange.close()
      probe.expect(head?.status === status, {
        expected: `${status} before the upgrade for ${name}`,
        actual: describeHead(head),
        statement: status === 401 ? 'ws.auth-before-upgrade' : 'ws.origin-before-upgrade',
        frame: exchange.responseFrame ?? exchange.requestFrame,
      })
    }
  },
  { title: 'Foreign pages are refused before the upgrade' },
)

export const session = serverCheck(
  'ws.server.session',
  async (probe) => {
    const fresh = await probe.connectWebSocket({ handshake: 'none' })
    const needsHandshake = (await fresh.call('tools/list')).type !== 'result'
    const first = await probe.connectWebSocket()
    const second = await probe.connectWebSocket({ clientInfo: { name: 'patchbay-second', version: '1.0.0' } })
    const slow = probe.findFixture('slow')
    if (slow !== undefined) {
      await first.send(first.compose('tools/call', { name: slow.name, arguments: slow.arguments }))
    }
    await first.closeWith(1000)
    const after = await second.call('ping')
    probe.expect(after.type === 'result', {
      expected: 'another connection untouched by the end of one',
      actual: describeOutcome(after),
      statement: 'ws.connection-is-session',
      frame: after.frame ?? after.sent,
    })
    const stray = second.received.find(({ message }) => isResponse(message) && Number(message['id']) > 2)
    probe.expect(stray === undefined, {
      expected: 'answers on the connection of their request',
      actual: shortJson(stray?.message),
      statement: 'ws.connection-is-session',
      frame: stray?.frame,
    })
    const third = await probe.connectWebSocket({ handshake: 'none' })
    const early = await third.call('tools/list')
    probe.expect(!needsHandshake || early.type !== 'result', {
      expected: 'a new connection to need initialize',
      actual: describeOutcome(early),
      statement: 'ws.connection-is-session',
      frame: early.frame ?? early.sent,
    })
  },
  { title: 'A connection is a session' },
)

export const modern = serverCheck(
  'ws.server.modern',
  async (probe) => {
    const connection = await probe.connectWebSocket({ capabilities: { elicitation: { form: {} } } })
    const list = ['tools', 'resources', 'prompts'].find((each) => probe.declares(each))
    const asking = probe.findFixture('input-required')
    const requests = [
      { method: 'server/discover', params: {} },
      ...(list === undefined ? [] : [{ method: `${list}/list`, params: {} }]),
      ...(asking === undefined
        ? []
        : [{ method: 'tools/call', params: { name: asking.name, arguments: asking.arguments } }]),
    ]
    for (const { method, params } of requests) {
      const outcome = await connection.call(method, params)
      const kind = outcome.type === 'result' ? outcome.result['resultType'] : undefined
      probe.expect(kind === 'complete' || kind === 'input_required', {
        expected: `${method} answered as on stdio, with its resultType`,
        actual: describeOutcome(outcome),
        member: '/result/resultType',
        statement: 'custom.preserve-format-modern',
        frame: outcome.frame ?? outcome.sent,
      })
    }
    const listen = connection.compose('subscriptions/listen', { notifications: { toolsListChanged: true } })
    const { frame } = await connection.send(listen)
    const acknowledged = await connection.waitFor(
      ({ message }) =>
        message['method'] === 'notifications/subscriptions/acknowledged' ||
        isSameId(message['id'], listen.id),
      { from: 0 },
    )
    probe.expect(acknowledged !== undefined, {
      expected: 'the listen acknowledged, or refused',
      actual: connection.closedReason ?? 'nothing',
      statement: 'custom.preserve-format-modern',
      frame,
    })
    await connection.notify('notifications/cancelled', { requestId: listen.id })
    const after = await connection.tryBarrier()
    probe.expect(after.type === 'result', {
      expected: 'a connection that goes on after the listen was cancelled',
      actual: describeOutcome(after),
      statement: 'custom.preserve-format-modern',
      frame: after.frame ?? after.sent,
    })
    const request = connection.received.find(({ message }) => 'method' in message && 'id' in message)
    probe.expect(request === undefined, {
      expected: 'no request of the server',
      actual: shortJson(request?.message),
      statement: 'ws.modern-no-server-requests',
      frame: request?.frame,
    })
  },
  { title: 'Messages of 2026-07-28 are those of stdio' },
)

export const batch = serverCheck(
  'ws.server.batch',
  async (probe) => {
    const connection = await probe.connectWebSocket()
    const { method } = probe.cheapRequest()
    const request = connection.compose(method)
    const from = connection.received.length
    const { frame } = await connection.send([request])
    const answer = await connection.waitFor(({ message }) => isResponse(message), { from })
    probe.expect(answer?.message['result'] === undefined, {
      expected: `an array refused at ${probe.cell.revision}`,
      actual: shortJson(answer?.message),
      frame: answer === undefined ? frame : [answer.frame, frame],
    })
  },
  { title: 'Arrays are refused' },
)

export const closes = serverCheck(
  'ws.server.close',
  async (probe) => {
    const connection = await probe.connectWebSocket()
    await probe.owed(connection.closeWith(1000))
    if (connection.closeCode === 1000 || connection.closeCode === 1001) return
    probe.warn({
      expected: 'the close with 1000 echoed',
      actual: connection.closedReason ?? 'an open connection',
      frame: connection.inbox.frames.at(-1),
    })
  },
  { title: 'An orderly end is answered in order' },
)
