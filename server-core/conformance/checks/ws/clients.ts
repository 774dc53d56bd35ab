import { WebSocket } from 'ws'
import { clientCheck } from '../../check.ts'
import { describeEnding } from '../../exam/client-exam.ts'
import type { ExamConnection } from '../../exam/exam-connection.ts'
import { shortJson } from '../../probe/outcome.ts'
import { elapsed } from '../../probe/waits.ts'

function socketOf(connection: ExamConnection): WebSocket {
  const socket = connection.notes.get('socket')
  if (socket instanceof WebSocket) return socket
  throw new TypeError('the connection is not a WebSocket')
}

export const offersSubprotocol = clientCheck(
  'ws.client.subprotocol',
  async (exam) => {
    await exam.run()
    const [first] = exam.server.upgrades
    if (first === undefined) return exam.inconclusive('the client never connected')
    const offered = (first.headers['sec-websocket-protocol'] ?? '').split(',').map((each) => each.trim())
    const frame = exam.received[0]?.frame
    exam.expect(offered.includes('mcp'), {
      expected: 'the subprotocol mcp offered',
      actual: shortJson(first.headers['sec-websocket-protocol']),
      statement: 'ws.subprotocol-offered',
      frame,
    })
    const query = new URL(first.url, 'http://exam').searchParams
    const secret = [...query.keys()].find((name) => /token|key|secret|auth/i.test(name))
    exam.expect(secret === undefined, {
      expected: 'no token in the address',
      actual: `the parameter ${secret ?? ''}`,
      statement: 'ws.no-token-in-query',
      frame,
    })
  },
  { title: 'The client offers mcp and keeps tokens out of the address' },
)

export const readsFrames = clientCheck(
  'ws.client.frames',
  async (exam) => {
    exam.set({ requestTimeoutMs: 120_000 })
    exam.on('tools/call', (turn) => {
      const usual = turn.usual()
      const result = 'result' in usual ? usual.result : {}
      const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: turn.request['id'], result }))
      const socket = socketOf(turn.connection)
      socket.send(bytes.subarray(0, 10), { fin: false, binary: false })
      socket.send(bytes.subarray(10, 30), { fin: false, binary: false })
      socket.send(bytes.subarray(30), { fin: true, binary: false })
      return { silent: true }
    })
    const connection = await exam.connect()
    const socket = socketOf(connection)
    const outcome = await exam.ending(exam.step({ type: 'call', tool: 'echo', arguments: { text: 'exam' } }))
    exam.expect(outcome.type === 'done', {
      expected: 'an answer in three fragments read',
      actual: describeEnding(outcome),
      statement: 'ws.fragments',
      frame: exam.messagesOf('tools/call').at(-1)?.frame,
    })
    const pong = new Promise<boolean>((resolve) => socket.once('pong', () => resolve(true)))
    socket.ping('patchbay')
    const isAlive = await Promise.race([pong, elapsed(exam.waits.answerMs * 2).then(() => false)])
    exam.expect(isAlive, {
      expected: 'a pong',
      actual: connection.closedReason ?? 'none',
      statement: 'ws.ping-pong',
      frame: exam.received.at(-1)?.frame,
    })
    const binary = connection.inbox.frames.find(({ kind }) => kind === 'invalid')
    exam.expect(binary === undefined, {
      expected: 'text messages, each one JSON-RPC message',
      actual: binary?.reason ?? '',
      statement: 'ws.text-frames',
      frame: binary,
    })
    socket.close(1001)
    await Promise.race([connection.closed, elapsed(exam.waits.answerMs * 2)])
    exam.expect(/^closed with 100[01]\b/.test(connection.closedReason ?? ''), {
      expected: 'the close with 1001 echoed',
      actual: connection.closedReason ?? 'an open connection',
      statement: 'ws.close-normal-1000',
      severity: 'warning',
      frame: exam.received.at(-1)?.frame,
    })
  },
  { title: 'Fragments are joined, pings answered, closes echoed' },
)

export const cancelsByNotification = clientCheck(
  'ws.client.modern',
  async (exam) => {
    exam.on('tools/call', () => ({ silent: true }))
    const connection = await exam.connect()
    await exam.step({ type: 'call', tool: 'echo', arguments: { text: 'exam' }, cancelAfterMs: 100 })
    const call = exam.messagesOf('tools/call')[0]
    if (call === undefined) return exam.inconclusive('the client called no tool')
    const cancelled = await exam.waitForMethod('notifications/cancelled', exam.waits.answerMs * 2)
    exam.expect(cancelled !== undefined, {
      expected: 'notifications/cancelled',
      actual: connection.closedReason ?? 'nothing',
      statement: 'ws.modern-cancel-notification',
      frame: call.frame,
    })
    exam.expect(connection.closedReason === undefined, {
      expected: 'a connection that stays open',
      actual: connection.closedReason ?? '',
      statement: 'custom.preserve-format-modern',
      frame: call.frame,
    })
  },
  { title: 'Cancelling is a notification, not the end of the connection' },
)

export const sessionBeginsAnew = clientCheck(
  'ws.client.session',
  async (exam) => {
    exam.set({ requestTimeoutMs: 120_000 })
    exam.on('tools/call', (turn) => (turn.count === 0 ? { close: true } : turn.usual()))
    await exam.connect()
    const outcome = await exam.ending(exam.step({ type: 'call', tool: 'echo', arguments: { text: 'exam' } }))
    const call = exam.messagesOf('tools/call')[0]
    if (call === undefined) return exam.inconclusive('the client called no tool')
    const isRepeated = exam.messagesOf('tools/call').length > 1
    exam.expect((outcome.type === 'failed' && outcome.message !== '') || isRepeated, {
      expected: 'a call that fails clearly when its connection ends',
      actual: describeEnding(outcome),
      statement: 'ws.connection-is-session',
      frame: call.frame,
    })
    if (exam.connections.length === 1) await exam.ending(exam.step({ type: 'connect' }))
    await exam.ending(exam.step({ type: 'list', list: 'tools' }))
    const later = exam.connections.slice(1).filter(({ inbox }) => inbox.messages.length > 0)
    if (later.length === 0) exam.inconclusive('the client opened no further connection')
    for (const { inbox } of later) {
      const [first] = inbox.messages
      exam.expect(first?.message['method'] === 'initialize', {
        expected: 'initialize first on a new connection',
        actual: String(first?.message['method']),
        statement: 'ws.connection-is-session',
        member: '/method',
        frame: first?.frame,
      })
    }
  },
  { title: 'A new connection begins with initialize' },
)
