import { clientCheck, serverCheck } from '../../check.ts'
import { isSameId, isResponse } from '../../probe/inbox.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'

const NOTIFICATIONS: readonly (readonly [string, Record<string, unknown>?])[] = [
  ['notifications/unknown', { a: 1 }],
  ['notifications/progress', { progressToken: {}, progress: 'x' }],
  ['notifications/cancelled'],
]

export const unansweredByServer = serverCheck(
  'base.notification.unanswered.server',
  async (probe) => {
    const connection = await probe.connect()
    for (const [method, params] of NOTIFICATIONS) {
      const from = connection.received.length
      const { frame, exchange } = await connection.notify(method, params)
      const ended = await Promise.race([
        exchange?.ended.then(() => true),
        connection.silence().then(() => false),
      ])
      const barrier = await connection.tryBarrier()
      const barrierId = 'message' in barrier ? barrier.message['id'] : undefined
      for (const { message, frame: answer, source } of connection.received.slice(from)) {
        if (!isResponse(message) || (isSameId(message['id'], barrierId) && message['id'] !== undefined))
          continue
        const status = exchange?.response?.status ?? 0
        const id = message['id']
        // An HTTP error may have a body without the id of a request.
        if (source === exchange && status >= 400 && (id === undefined || id === null)) continue
        probe.fail({
          expected: `no answer to ${method}`,
          actual: shortJson(message),
          statement:
            method === 'notifications/unknown'
              ? 'jsonrpc.unknown-notification-ignored'
              : 'base.notification.no-answer',
          frame: [answer, frame],
        })
      }
      const status = exchange?.response?.status
      if (exchange !== undefined && ended === true && status !== undefined) {
        const isRefused = status >= 400 && status < 500
        probe.expect(status === 202 || isRefused || (probe.cell.transport === 'sse' && status < 300), {
          expected: 'HTTP 202, or 4xx for a refused one',
          actual: `HTTP ${status}`,
          frame,
        })
      }
      if (barrier.type === 'closed') {
        probe.fail({ expected: 'a connection that lives', actual: describeOutcome(barrier), frame })
        return
      }
      if (barrier.type === 'silence') probe.inconclusive('the barrier was not answered')
    }
  },
  { title: 'Notifications are not answered' },
)

export const unansweredByClient = clientCheck(
  'base.notification.unanswered.client',
  async (exam) => {
    exam.content.capabilities = { ...exam.content.capabilities, tools: { listChanged: true } }
    const notices = [
      { jsonrpc: '2.0', method: 'notifications/unknown', params: { a: 1 } },
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: [3] },
    ]
    exam.on('tools/call', (turn) => {
      for (const notice of notices) turn.send(notice)
      return turn.usual()
    })
    const connection = await exam.connect()
    const outcome = await exam.step({ type: 'call', tool: 'echo', arguments: { text: 'a' } })
    const next = await exam.step({ type: 'list', list: 'tools' })
    for (const { message, frame } of exam.received) {
      if (!isResponse(message)) continue
      exam.fail({ expected: 'no answer to a notification', actual: shortJson(message), frame })
    }
    exam.expect(outcome.type === 'done' && next.type === 'done' && connection.closedReason === undefined, {
      expected: 'a client that goes on',
      actual:
        outcome.type === 'failed'
          ? outcome.message
          : next.type === 'failed'
            ? next.message
            : 'the connection ended',
      statement: 'jsonrpc.unknown-notification-ignored',
      frame: exam.messagesOf('tools/call').at(-1)?.frame,
    })
  },
  { title: 'The client does not answer notifications' },
)
