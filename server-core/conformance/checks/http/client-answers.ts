import { isJsonObject } from '../../../protocol/json.ts'
import { clientCheck } from '../../check.ts'
import { describeEnding, type ClientExam } from '../../exam/client-exam.ts'
import type { StepOutcome } from '../../exam/client-driver.ts'
import type { ExamHttp } from '../../exam/exam-http.ts'
import { describeOutcome } from '../../probe/outcome.ts'

/** Longer than any wait of a check, so that the limit of the client is not what ends a step. */
const NEVER_MS = 120_000

/** The method of the message that a request carries. */
export function methodOf({ json }: ExamHttp): string {
  return isJsonObject(json) && typeof json['method'] === 'string' ? json['method'] : ''
}

export function callEcho(exam: ClientExam, text = 'exam'): Promise<StepOutcome> {
  return exam.step({ type: 'call', tool: 'echo', arguments: { text } })
}

const REFUSALS = [
  {
    name: 'an error without id',
    type: 'application/json',
    body: '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Refused"}}',
  },
  { name: 'an empty body', type: 'application/json', body: '' },
  { name: 'HTML', type: 'text/html', body: '<h1>Bad request</h1>' },
]

export const refusedBody = clientCheck(
  'http.client.refused-body',
  async (exam) => {
    exam.set({ requestTimeoutMs: NEVER_MS })
    await exam.connect()
    let refusal = REFUSALS[0]
    exam.onHttp((exchange) => {
      const { json } = exchange
      if (!isJsonObject(json) || 'id' in json || exchange.method !== 'POST') return false
      exchange.respond(400, { 'content-type': refusal?.type ?? '' }, refusal?.body)
      return true
    })
    for (const each of REFUSALS) {
      refusal = each
      await exam.ending(exam.step({ type: 'notify', method: 'notifications/patchbay', params: {} }))
      const after = await exam.ending(exam.step({ type: 'list', list: 'tools' }))
      exam.expect(after.type === 'done' || (after.type === 'failed' && after.message !== ''), {
        expected: `work, or a clear report, after a notification was refused with ${each.name}`,
        actual: describeEnding(after),
        statement: exam.isModern ? 'http26.post.refused-body' : 'http.post.refused-body-no-id',
        frame: exam.received.at(-1)?.frame,
      })
    }
  },
  { title: 'A refused notification ends nothing' },
)

export const bothForms = clientCheck(
  'http.client.both-forms',
  async (exam) => {
    let form = 'JSON'
    exam.on('tools/call', (turn) => {
      if (form === 'an event stream') turn.stream()
      return turn.usual()
    })
    await exam.connect()
    for (form of ['JSON', 'JSON', 'an event stream', 'an event stream', 'JSON', 'an event stream', 'JSON']) {
      const outcome = await callEcho(exam)
      exam.expect(outcome.type === 'done', {
        expected: `a call that is answered by ${form} to succeed`,
        actual: describeEnding(outcome),
        statement: exam.isModern ? 'http26.post.client-both-forms' : 'http.post.client-both-forms',
        frame: exam.messagesOf('tools/call').at(-1)?.frame,
      })
    }
  },
  { title: 'Answers are read as JSON and as event streams' },
)

export const serverMessages = clientCheck(
  'http.client.sse-server-messages',
  async (exam) => {
    exam.content.capabilities = { ...exam.content.capabilities, logging: {} }
    const log = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'exam' } }
    exam.on('tools/call', async (turn) => {
      turn.send(log)
      const meta = isJsonObject(turn.params['_meta']) ? turn.params['_meta'] : {}
      const { progressToken } = meta
      if (progressToken !== undefined)
        turn.send({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken, progress: 1 },
        })
      if (!exam.isModern) {
        const outcome = await turn.ask('ping')
        exam.expect(outcome.type === 'result', {
          expected: 'ping on the stream of a call answered by a POST',
          actual: describeOutcome(outcome),
          statement: 'http.post.sse-server-messages',
          frame: outcome.frame ?? outcome.sent,
        })
      }
      return turn.usual()
    })
    const connection = await exam.connect()
    const outcome = await exam.step({
      type: 'call',
      tool: 'echo',
      arguments: { text: 'exam' },
      progress: true,
    })
    exam.expect(outcome.type === 'done', {
      expected: 'a call that succeeds beside other messages on its stream',
      actual: describeEnding(outcome),
      statement: exam.isModern ? 'patterns.scoped-notifications' : 'http.post.sse-server-messages',
      frame: exam.messagesOf('tools/call').at(-1)?.frame,
    })
    if (exam.isModern || !exam.exchanges.some(({ method }) => method === 'GET')) return
    connection.send(log)
    const ping = await connection.request('ping')
    exam.expect(ping.type === 'result', {
      expected: 'ping on the GET stream answered by a POST',
      actual: describeOutcome(ping),
      statement: 'http.get.server-messages',
      frame: ping.frame ?? ping.sent,
    })
  },
  { title: 'Messages before the response are handled' },
)

const EVENT_IDS = [undefined, 'event-1', 'ünï', 'x'.repeat(10_000)]

export const eventIdsTolerated = clientCheck(
  'http.client.event-ids',
  async (exam) => {
    await exam.connect()
    let id: string | undefined
    exam.onHttp((exchange) => {
      if (methodOf(exchange) !== 'tools/call') return false
      const { json, response } = exchange
      const result = { content: [{ type: 'text', text: 'exam' }] }
      const answer = { jsonrpc: '2.0', id: isJsonObject(json) ? json['id'] : 0, result }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(answer)}\n\n`)
      return true
    })
    for (id of [...EVENT_IDS, undefined]) {
      const outcome = await callEcho(exam)
      exam.expect(outcome.type === 'done', {
        expected: `a call to succeed whose event has ${id === undefined ? 'no id' : `the id "${id.slice(0, 20)}"`}`,
        actual: describeEnding(outcome),
        frame: exam.exchanges.at(-1)?.frame,
      })
    }
  },
  { title: 'Event ids are optional and opaque' },
)
