import { serverCheck } from '../../check.ts'
import type { HttpExchange } from '../../probe/http-exchange.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import {
  describeHead,
  headOf,
  isEventStream,
  isRefused,
  isServed,
  typeOf,
  wholeResponse,
} from './http-probing.ts'

export const oneEndpoint = serverCheck(
  'http.server.one-endpoint',
  async (probe) => {
    const connection = await probe.connectHttp({ stream: false })
    const stream = connection.http({
      method: 'GET',
      headers: { ...sessionHeaders(connection.headersFor(undefined)), accept: 'text/event-stream' },
    })
    const head = await headOf(probe, stream)
    const isStream = head?.status === 200 && isEventStream(head)
    probe.expect(isStream || head?.status === 405 || head?.status === 409, {
      expected: 'an event stream, or 405',
      actual: describeHead(head),
      statement: 'http.get.sse-or-405',
      frame: stream.responseFrame ?? stream.requestFrame,
    })
    const put = connection.http({
      method: 'PUT',
      headers: connection.headersFor(undefined),
      body: '{}',
    })
    const answer = await headOf(probe, put)
    if (answer === undefined || isRefused(answer)) return
    probe.fail({
      expected: 'PUT refused',
      actual: describeHead(answer),
      statement: 'http.endpoint.single-path',
      frame: put.responseFrame ?? put.requestFrame,
      ...(answer.status >= 500 && { severity: 'info' }),
    })
  },
  { title: 'One path serves POST, and GET as an event stream or 405' },
)

function sessionHeaders({ 'content-type': _, ...headers }: Readonly<Record<string, string>>) {
  return headers
}

const ACCEPTED = ['application/json', 'text/event-stream', '*/*', null] as const

export const acceptRequired = serverCheck(
  'http.server.accept-required',
  async (probe) => {
    const connection = await probe.connectHttp({ stream: false })
    const { method } = probe.cheapRequest()
    for (const accept of ACCEPTED) {
      const { exchange, frame } = await connection.send(connection.compose(method), { headers: { accept } })
      const head = exchange === undefined ? undefined : await wholeResponse(probe, exchange)
      const isEither = accept === null || accept === '*/*'
      if (head === undefined || !isServed(head) || isEither) continue
      probe.expect(typeOf(head) === accept, {
        expected: `an answer as ${accept}, or 406`,
        actual: describeHead(head),
        frame: [frame, ...(exchange?.responseFrame === undefined ? [] : [exchange.responseFrame])],
      })
    }
  },
  { title: 'Answers come in a type that the client accepts' },
)

export const notificationAccepted = serverCheck(
  'http.server.notification-202',
  async (probe) => {
    const connection = await probe.connectHttp({ stream: false })
    const params = { requestId: 'patchbay-none', reason: 'nothing to cancel' }
    const cancelled = connection.composeNotification('notifications/cancelled', params)
    const response = { jsonrpc: '2.0', id: 'patchbay-unasked', result: {} }
    for (const message of probe.isModern ? [cancelled] : [cancelled, response]) {
      const isNotification = 'method' in message
      const { exchange, frame } = await connection.send(message)
      const head = exchange === undefined ? undefined : await wholeResponse(probe, exchange)
      if (head !== undefined && isRefused(head) && (probe.isModern || !isNotification)) continue
      const length = exchange?.body.length ?? 0
      probe.expect(head?.status === 202 && length === 0, {
        expected: '202 with an empty body',
        actual: `${describeHead(head)}, ${length} bytes`,
        statement: probe.isModern ? 'http26.post.notification-202' : 'http.post.notification-202',
        frame: exchange?.responseFrame ?? frame,
      })
    }
  },
  { title: 'Notifications are accepted with 202 and no body' },
)

export const notificationRefused = serverCheck(
  'http.server.notification-refused',
  async (probe) => {
    const connection = await probe.connectHttp({ stream: false })
    if (!probe.isModern && connection.sessionId === undefined)
      probe.notApplicable('the server issues no session id')
    const headers = probe.isModern
      ? { 'mcp-protocol-version': '1900-01-01' }
      : { 'mcp-session-id': 'patchbay-dead-session' }
    const message = connection.composeNotification('notifications/cancelled', { requestId: 'patchbay-none' })
    const { exchange, frame } = await connection.send(message, { headers })
    const head = exchange === undefined ? undefined : await wholeResponse(probe, exchange)
    const statement = probe.isModern
      ? 'http26.post.notification-refused'
      : 'http.post.notification-refused-4xx'
    const shown = exchange?.responseFrame ?? frame
    if (head === undefined || !isRefused(head)) {
      probe.fail({
        expected: 'a 4xx',
        actual: describeHead(head),
        statement,
        frame: shown,
        ...(probe.isModern && { severity: 'warning' }),
      })
      return
    }
    judgeErrorBody(probe, exchange, statement)
  },
  { title: 'A notification that cannot be accepted is refused with a 4xx' },
)

function judgeErrorBody(probe: ServerProbe, exchange: HttpExchange | undefined, statement: string): void {
  const value = exchange?.responseFrame?.value
  if (typeof value !== 'object' || value === null || !('id' in value)) return
  const input = {
    expected: 'an error without id',
    actual: `the id ${shortJson(value.id)}`,
    member: '/id',
    statement,
    frame: exchange?.responseFrame,
  }
  if (value.id === null) probe.inform(input)
  else probe.fail(input)
}

export const jsonOrSse = serverCheck(
  'http.server.json-or-sse',
  async (probe) => {
    const connection = await probe.connectHttp({ stream: false })
    const methods = ['tools', 'resources', 'prompts'].flatMap((list) =>
      probe.declares(list) ? [`${list}/list`] : [],
    )
    for (const method of [probe.cheapRequest().method, ...methods]) {
      const outcome = await connection.call(method)
      if (outcome.type === 'error') continue
      const { http: head, exchange } = outcome
      const isEither = isEventStream(head) || typeOf(head) === 'application/json'
      probe.expect(head !== undefined && isServed(head) && isEither, {
        expected: `${method} answered by application/json or text/event-stream`,
        actual: head === undefined ? describeOutcome(outcome) : describeHead(head),
        statement: probe.isModern ? 'http26.post.json-or-sse' : 'http.post.request-json-or-sse',
        frame: outcome.frame ?? outcome.sent,
      })
      if (typeOf(head) !== 'application/json') continue
      const value = exchange?.responseFrame?.value
      const isOne = typeof value === 'object' && value !== null
      const isArray = Array.isArray(value) && probe.cell.revision !== '2025-03-26'
      probe.expect(isOne && !isArray, {
        expected: 'one JSON object',
        actual: isArray ? 'an array' : describeOutcome(outcome),
        statement: probe.isModern ? 'http26.post.json-or-sse' : 'http.post.request-json-or-sse',
        frame: outcome.frame ?? outcome.sent,
      })
    }
  },
  { title: 'Requests are answered by one JSON object or an event stream' },
)
