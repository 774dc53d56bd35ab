import { randomUUID } from 'node:crypto'
import { isJsonObject } from '../../../protocol/json.ts'
import { clientCheck } from '../../check.ts'
import { describeEnding } from '../../exam/client-exam.ts'
import type { ExamHttp } from '../../exam/exam-http.ts'
import { shortJson } from '../../probe/outcome.ts'
import { callEcho, methodOf } from './client-answers.ts'

const RETRY_MS = 700
/** A tenth is left to clocks. */
const EARLIEST_MS = 630

export const respectsRetry = clientCheck(
  'http.client.retry',
  async (exam) => {
    await exam.connect()
    let closedAt = 0
    let answer = ''
    let resumed: ExamHttp | undefined
    exam.onHttp((exchange) => {
      const { json, response, method, headers } = exchange
      if (methodOf(exchange) === 'tools/call' && isJsonObject(json)) {
        const result = { content: [{ type: 'text', text: 'exam' }] }
        answer = JSON.stringify({ jsonrpc: '2.0', id: json['id'], result })
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(`id: patchbay-1\nretry: ${RETRY_MS}\ndata: \n\n`)
        closedAt = performance.now()
        return true
      }
      if (closedAt === 0 || method !== 'GET') return false
      const tooEarly = performance.now() - closedAt
      resumed ??= exchange
      exam.expect(tooEarly >= EARLIEST_MS, {
        expected: `a GET no earlier than ${RETRY_MS} ms after the stream was closed`,
        actual: `${Math.round(tooEarly)} ms`,
        statement: 'http.polling.retry-respected',
        frame: exchange.frame,
      })
      if (headers['last-event-id'] !== 'patchbay-1') {
        exam.warn({
          expected: 'Last-Event-ID patchbay-1',
          actual: shortJson(headers['last-event-id']),
          statement: 'http.resume.client-get-last-event-id',
          frame: exchange.frame,
        })
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`id: patchbay-2\ndata: ${answer}\n\n`)
      return true
    })
    const outcome = await exam.ending(callEcho(exam))
    if (closedAt === 0) exam.inconclusive(`the client called no tool: ${describeEnding(outcome)}`)
    if (resumed === undefined) {
      exam.warn({
        expected: 'a GET that asks for the rest of the stream',
        actual: 'none',
        statement: 'http.polling.client-reconnects',
        frame: exam.exchanges.at(-1)?.frame,
      })
    } else {
      exam.expect(outcome.type === 'done', {
        expected: 'the call to succeed',
        actual: describeEnding(outcome),
        statement: 'http.polling.client-reconnects',
        frame: exam.exchanges.at(-1)?.frame,
      })
    }
  },
  { title: 'A client reconnects no earlier than the server asks' },
)

/** More than so many GETs in a second are a tight loop. */
const MOST_GETS = 5
const SECOND_MS = 1_000
const STREAMS = ['405', 'a stream that ends at once', 'JSON', '500'] as const

export const toleratesGetAnswers = clientCheck(
  'http.client.get-stream',
  async (exam) => {
    let kind: (typeof STREAMS)[number] = '405'
    const gets: { readonly at: number; readonly exchange: ExamHttp }[] = []
    exam.onHttp((exchange) => {
      if (exchange.method !== 'GET') return false
      gets.push({ at: performance.now(), exchange })
      if (kind === '405') exchange.respond(405, { allow: 'POST' })
      else if (kind === 'JSON') exchange.respond(200, { 'content-type': 'application/json' }, '{}')
      else if (kind === '500') exchange.respond(500)
      else exchange.respond(200, { 'content-type': 'text/event-stream' })
      return true
    })
    for (kind of STREAMS) {
      const mark = gets.length
      await exam.connect()
      await exam.step({ type: 'idle', milliseconds: SECOND_MS })
      const outcome = await exam.ending(exam.step({ type: 'list', list: 'tools' }))
      const own = gets.slice(mark)
      const isOwed = kind === '405' || kind === 'a stream that ends at once'
      exam.expect(outcome.type === 'done' || (!isOwed && outcome.type === 'failed'), {
        expected: `work after GET was answered by ${kind}`,
        actual: describeEnding(outcome),
        statement: kind === '405' ? 'http.get.405-tolerated' : 'http.get.close-anytime',
        frame: own.at(-1)?.exchange.frame,
      })
      const wrong = own.find(
        ({ exchange }) => !(exchange.headers['accept'] ?? '').includes('text/event-stream'),
      )
      exam.expect(wrong === undefined, {
        expected: 'a GET that accepts event streams',
        actual: shortJson(wrong?.exchange.headers['accept']),
        statement: 'http.get.accept',
        frame: wrong?.exchange.frame,
      })
      const isLoop = own.some(({ at }, index) => (own[index + MOST_GETS]?.at ?? Infinity) - at < SECOND_MS)
      if (isLoop) {
        exam.warn({
          expected: `at most ${MOST_GETS} GETs in a second after ${kind}`,
          actual: `${own.length} in all`,
          statement: 'http.get.close-anytime',
          frame: own.at(-1)?.exchange.frame,
        })
      }
      await exam.endClient()
    }
  },
  { title: 'Whatever GET is answered by, the session works' },
)

export const restartsSession = clientCheck(
  'http.client.session-dead',
  async (exam) => {
    const connection = await exam.connect()
    const old = connection.sessionId
    await exam.step({ type: 'list', list: 'tools' })
    const mark = exam.exchanges.length
    connection.close()
    await exam.ending(callEcho(exam))
    const later = exam.exchanges.slice(mark).filter(({ method }) => method === 'POST')
    const [refused, ...rest] = later
    if (refused === undefined || rest.length === 0)
      return exam.inconclusive('the client tried nothing more after its session was lost')
    const opening = rest.find((exchange) => methodOf(exchange) === 'initialize')
    exam.expect(opening === undefined || opening.headers['mcp-session-id'] === undefined, {
      expected: 'initialize without a session id',
      actual: shortJson(opening?.headers['mcp-session-id']),
      frame: opening?.frame,
    })
    const again = rest.find((exchange) => exchange !== opening && exchange.headers['mcp-session-id'] === old)
    exam.expect(again === undefined, {
      expected: 'a new session after 404',
      actual: `${methodOf(again ?? refused)} with the lost id`,
      frame: again?.frame,
    })
  },
  { title: 'A client replaces a lost session by initialize' },
)

export const deletesSession = clientCheck(
  'http.client.delete',
  async (exam) => {
    let status = 405
    exam.onHttp((exchange) => {
      if (exchange.method !== 'DELETE') return false
      exchange.respond(status)
      return true
    })
    for (status of [405, 500]) {
      const mark = exam.exchanges.length
      const connection = await exam.connect()
      const id = connection.sessionId
      await exam.step({ type: 'list', list: 'tools' })
      const ending = await exam.ending(exam.step({ type: 'close' }))
      await exam.endClient()
      const deleted = exam.exchanges.slice(mark).find(({ method }) => method === 'DELETE')
      const frame = deleted?.frame ?? exam.exchanges.at(-1)?.frame
      if (deleted === undefined) {
        exam.warn({
          expected: 'DELETE when the session is not needed any more',
          actual: 'none',
          statement: 'http.session.client-delete',
          frame,
        })
        continue
      }
      const version = deleted.headers['mcp-protocol-version']
      const hasVersion = exam.cell.revision < '2025-06-18' || version === exam.cell.revision
      if (deleted.headers['mcp-session-id'] !== id || !hasVersion) {
        exam.warn({
          expected: 'DELETE with the session id and the version header',
          actual: shortJson({ id: deleted.headers['mcp-session-id'], version }),
          statement: 'http.session.client-delete',
          frame,
        })
      }
      exam.expect(ending.type === 'done', {
        expected: `an ordinary end although DELETE was answered by ${status}`,
        actual: describeEnding(ending),
        statement: 'http.session.delete-405',
        frame,
      })
    }
  },
  { title: 'The client ends its session by DELETE, and minds no refusal' },
)

export const fallsBack = clientCheck(
  'http.client.legacy-fallback',
  async (exam) => {
    exam.set({ anyRevision: true, requestTimeoutMs: exam.waits.answerMs })
    let status = 400
    exam.onHttp((exchange) => {
      if (exchange.method === 'GET') {
        const { response } = exchange
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        // The endpoint is enough to see which transport is tried.
        response.end(`event: endpoint\ndata: /mcp?session=${randomUUID()}\n\n`)
      } else exchange.respond(status, { 'content-type': 'text/plain' }, 'Refused')
      return true
    })
    for (status of [400, 404, 405, 500, 503]) {
      const mark = exam.exchanges.length
      await exam.ending(exam.step({ type: 'connect' }))
      await exam.endClient()
      const own = exam.exchanges.slice(mark)
      const stream = own.find(({ method }) => method === 'GET')
      const isRefusal = status < 500
      if (own.length === 0) exam.inconclusive('the client never connected')
      if (isRefusal && stream === undefined) {
        exam.inform({
          expected: `a GET for the older transport after ${status}`,
          actual: 'none',
          frame: own.at(-1)?.frame,
        })
      } else if (!isRefusal && stream !== undefined) {
        exam.warn({
          expected: `no other transport after ${status}`,
          actual: 'a GET for the older transport',
          frame: stream.frame,
        })
      }
    }
  },
  { title: 'A refused POST leads to HTTP+SSE, a failing server does not' },
)
