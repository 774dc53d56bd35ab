import { isJsonObject } from '../../../protocol/json.ts'
import { serverCheck } from '../../check.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'
import {
  describeHead,
  headOf,
  isEventStream,
  messagesOf,
  streamedCall,
  typeOf,
} from '../http/http-probing.ts'
import { isDualEra } from './headers.ts'

export const endpoint = serverCheck(
  'http26.server.endpoint',
  async (probe) => {
    const connection = await probe.connectHttp({ handshake: probe.isModern ? 'full' : 'none' })
    const methods = probe.isModern
      ? ['server/discover', ...(probe.declares('tools') ? ['tools/list'] : [])]
      : ['initialize']
    for (const method of methods) {
      const outcome =
        method === 'initialize'
          ? await connection.call(method, {
              protocolVersion: probe.cell.revision,
              capabilities: {},
              clientInfo: { name: 'patchbay-check', version: '1.0.0' },
            })
          : await connection.call(method)
      probe.expect(outcome.http?.status === 200, {
        expected: `200 for ${method}`,
        actual: describeOutcome(outcome),
        statement: 'http26.endpoint.single-path',
        frame: outcome.frame ?? outcome.sent,
      })
    }
  },
  { title: 'The endpoint serves what every server has' },
)

export const sseHeaders = serverCheck(
  'http26.server.sse-headers',
  async (probe) => {
    const connection = await probe.connectHttp()
    const filter = { notifications: { toolsListChanged: true } }
    const request = probe.isModern
      ? connection.compose('subscriptions/listen', filter)
      : streamedCall(probe, connection, 'headers')
    if (request === undefined) return probe.inconclusive('no tool was found that is answered by a stream')
    const { exchange, frame } = await connection.send(request)
    const head = exchange === undefined ? undefined : await headOf(probe, exchange)
    if (head === undefined || head.status !== 200)
      return probe.inconclusive(`no event stream: ${describeHead(head)}`)
    if (!isEventStream(head)) {
      if (typeOf(head) === 'application/json') return probe.inconclusive('the answer is JSON')
      probe.fail({
        expected: 'text/event-stream',
        actual: typeOf(head),
        statement: 'sse-format.content-type',
        frame,
      })
    }
    if (!probe.isModern || head.headers['x-accel-buffering']?.toLowerCase() === 'no') return
    probe.warn({
      expected: 'X-Accel-Buffering: no',
      actual: shortJson(head.headers['x-accel-buffering']),
      statement: 'http26.sse.no-buffering-header',
      frame: exchange?.responseFrame ?? frame,
    })
  },
  { title: 'Event streams ask not to be buffered' },
)

export const relatedOnly = serverCheck(
  'http26.server.related-only',
  async (probe) => {
    const connection = await probe.connectHttp()
    const listen = await connection.send(
      connection.compose('subscriptions/listen', { notifications: { toolsListChanged: true } }),
    )
    const tokens = ['first', 'second']
    const calls = tokens.flatMap((token) => streamedCall(probe, connection, token) ?? [])
    if (calls.length === 0) probe.inconclusive('no tool was found that reports progress')
    const outcomes = await Promise.all(calls.map((call) => connection.exchange(call)))
    const streams = [
      { exchange: listen.exchange, token: undefined },
      ...outcomes.map(({ exchange }, index) => ({ exchange, token: tokens[index] })),
    ]
    let seen = 0
    for (const { exchange, token } of streams) {
      for (const event of exchange?.events ?? []) {
        for (const { method, params } of messagesOf([event])) {
          if (method !== 'notifications/progress' || !isJsonObject(params)) continue
          seen += 1
          probe.expect(params['progressToken'] === token, {
            expected: token === undefined ? 'no progress on a listen' : `notices of the token "${token}"`,
            actual: shortJson(params),
            member: '/params/progressToken',
            statement: 'http26.sse.related-only',
            frame: event.frame,
          })
        }
      }
    }
    if (seen === 0) probe.inconclusive('no notices came')
  },
  { title: 'A stream holds the notices of its own request alone' },
)

export const getDelete = serverCheck(
  'http26.server.get-delete',
  async (probe) => {
    const connection = await probe.connectHttp()
    if (await isDualEra(probe, connection)) probe.inconclusive('the server serves the older revisions too')
    for (const method of ['GET', 'DELETE']) {
      const exchange = connection.http({
        method,
        headers: { accept: 'text/event-stream', 'mcp-protocol-version': probe.cell.revision },
      })
      const head = await headOf(probe, exchange)
      exchange.close()
      if (head?.status === 405) continue
      probe.warn({
        expected: `405 for ${method}`,
        actual: describeHead(head),
        frame: exchange.responseFrame ?? exchange.requestFrame,
      })
    }
  },
  { title: 'A modern-only server answers GET and DELETE with 405' },
)

export const sessionIgnored = serverCheck(
  'http26.server.session-ignored',
  async (probe) => {
    const connection = await probe.connectHttp()
    const isDual = await isDualEra(probe, connection)
    const headers = { 'mcp-session-id': 'patchbay-session', 'last-event-id': '1-1' }
    const outcome = await connection.call('server/discover', undefined, { headers })
    const report = (expected: string, actual: string, statement: string) => {
      const input = { expected, actual, statement, frame: outcome.frame ?? outcome.sent }
      if (isDual) probe.inform(input)
      else probe.warn(input)
    }
    if (outcome.type !== 'result') {
      report('the headers to be ignored', describeOutcome(outcome), 'http26.legacy.session-ignored')
      return
    }
    const issued = outcome.http?.headers['mcp-session-id']
    if (issued !== undefined) report('no session id', issued, 'http26.legacy.session-ignored')
    const id = outcome.exchange?.events.find((event) => event.id !== undefined)?.id
    if (id !== undefined) report('no event ids', id, 'http26.legacy.last-event-id-ignored')
  },
  { title: 'Session ids and event ids of older revisions are ignored' },
)

export const bodySingle = serverCheck(
  'http26.server.body-single',
  async (probe) => {
    const connection = await probe.connectHttp()
    const isDual = probe.isModern && (await isDualEra(probe, connection))
    const { method } = probe.cheapRequest()
    const request = connection.compose(method)
    const array = await connection.exchange([request], {
      headers: connection.headersFor(request),
      match: 'any',
    })
    const status = array.http?.status ?? 0
    if (status !== 400) {
      const input = {
        expected: '400 for an array',
        actual: describeOutcome(array),
        statement: probe.isModern ? 'http26.post.body-single' : 'jsonrpc.batch-refused',
        frame: array.frame ?? array.sent,
      }
      if (probe.isModern) probe.fail(input)
      else probe.warn(input)
    }
    const response = { jsonrpc: '2.0', id: 'patchbay-unasked', result: {} }
    const { exchange, frame } = await connection.send(response)
    const head = exchange === undefined ? undefined : await headOf(probe, exchange)
    const isRefused = head !== undefined && head.status >= 400 && head.status < 500
    const isAccepted = head?.status === 202 && (!probe.isModern || isDual)
    probe.expect(isRefused || isAccepted, {
      expected: probe.isModern ? 'a 4xx for a response object' : '202 or a 4xx for a response object',
      actual: describeHead(head),
      statement: 'http26.post.no-responses',
      frame: exchange?.responseFrame ?? frame,
    })
  },
  { title: 'A body is one request or notification' },
)
