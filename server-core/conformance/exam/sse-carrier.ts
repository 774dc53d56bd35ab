import { randomUUID } from 'node:crypto'
import { encodeSseEvent } from '../../transports/http/sse-codec.ts'
import type { CapturedConnection } from '../frames/captured-frame.ts'
import { ExamConnection } from './exam-connection.ts'
import type { ExamHttp } from './exam-http.ts'
import type { ExamParts } from './exam-parts.ts'
import { receive } from './exam-session.ts'
import { LineReplies } from './line-replies.ts'

const SESSIONS = new WeakMap<ExamParts, Map<string, ExamConnection>>()

/** The connection that a request belongs to; one of its own for a GET. */
export function sseConnectionOf(path: string, parts: ExamParts): CapturedConnection {
  const id = new URL(path, 'http://exam').searchParams.get('session') ?? ''
  const known = sessionsOf(parts).get(id)
  return known?.captured ?? parts.log.connection('sse', parts.cell.revision)
}

/** HTTP+SSE of the exam server (2024-11-05): GET opens the stream, POST carries messages. */
export function serveSse(exchange: ExamHttp, parts: ExamParts): void {
  if (exchange.method === 'GET') openStream(exchange, parts)
  else if (exchange.method === 'POST') post(exchange, parts)
  else exchange.respond(405)
}

function sessionsOf(parts: ExamParts): Map<string, ExamConnection> {
  const known = SESSIONS.get(parts)
  if (known !== undefined) return known
  const sessions = new Map<string, ExamConnection>()
  SESSIONS.set(parts, sessions)
  return sessions
}

function openStream(exchange: ExamHttp, parts: ExamParts): void {
  const { response, frame } = exchange
  const { log, answerMs, onConnection } = parts
  const connection = new ExamConnection('sse', {
    log,
    captured: frame.connection,
    answerMs,
    end: () => response.end(),
  })
  const id = randomUUID()
  sessionsOf(parts).set(id, connection)
  exchange.begin(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.write(encodeSseEvent({ name: 'endpoint', data: `/sse/messages?session=${id}` }))
  connection.deliverBy((bytes) => {
    response.write(encodeSseEvent({ name: 'message', data: bytes }))
  })
  response.once('close', () => {
    connection.ended('the stream was closed')
  })
  onConnection(connection)
}

function post(exchange: ExamHttp, parts: ExamParts): void {
  const id = new URL(exchange.path, 'http://exam').searchParams.get('session') ?? ''
  const connection = sessionsOf(parts).get(id)
  if (connection === undefined) {
    exchange.respond(404)
    return
  }
  exchange.respond(202)
  receive(
    exchange.frame,
    connection,
    parts.dialogue,
    new LineReplies(connection, exchange.headers),
    parts.onError,
  )
}
