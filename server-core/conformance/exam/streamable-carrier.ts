import { encodeSseEvent } from '../../transports/http/sse-codec.ts'
import { isJsonObject } from '../../protocol/json.ts'
import type { CapturedConnection } from '../frames/captured-frame.ts'
import { ExamConnection } from './exam-connection.ts'
import type { ExamHttp } from './exam-http.ts'
import type { ExamParts } from './exam-parts.ts'
import { receive } from './exam-session.ts'
import { HttpReplies } from './http-replies.ts'
import { requestsIn } from './requests-in.ts'

/** Streamable HTTP of the exam server: sessions in the legacy revisions, none in 2026-07-28. */
export class StreamableCarrier {
  readonly #parts: ExamParts
  readonly #sessions = new Map<string, ExamConnection>()
  #stateless: ExamConnection | undefined
  #loose: CapturedConnection | undefined

  constructor(parts: ExamParts) {
    this.#parts = parts
  }

  /** Another client comes: it has connections of its own. */
  forgetClient(): void {
    this.#stateless = undefined
    this.#loose = undefined
  }

  /** The connection that a request with these headers belongs to. */
  capturedFor(headers: Readonly<Record<string, string>>, json: unknown): CapturedConnection {
    const { log, cell } = this.#parts
    if (opensSession(json)) return log.connection('http', cell.revision)
    const session = this.#sessions.get(headers['mcp-session-id'] ?? '') ?? this.#stateless
    if (session !== undefined) return session.captured
    return (this.#loose ??= log.connection('http', cell.revision))
  }

  serve(exchange: ExamHttp): void {
    const { cell } = this.#parts
    const isModern = cell.revision >= '2026-07-28'
    switch (exchange.method) {
      case 'POST':
        this.#post(exchange, isModern)
        break
      case 'GET':
        if (isModern) exchange.respond(405, { allow: 'POST' })
        else this.#stream(exchange)
        break
      case 'DELETE':
        if (isModern) exchange.respond(405, { allow: 'POST' })
        else this.#delete(exchange)
        break
      default:
        exchange.respond(405, { allow: 'GET, POST, DELETE' })
    }
  }

  #post(exchange: ExamHttp, isModern: boolean): void {
    const { json } = exchange
    const opens = opensSession(json) && !isModern
    const named = this.#sessions.get(exchange.headers['mcp-session-id'] ?? '')
    const session = isModern
      ? (this.#stateless ??= this.#open(exchange))
      : opens
        ? this.#open(exchange)
        : named
    if (session === undefined) {
      const status = exchange.headers['mcp-session-id'] === undefined ? 400 : 404
      exchange.respond(status, { 'content-type': 'application/json' }, REFUSED)
      return
    }
    const { log, dialogue, onError } = this.#parts
    const requests = requestsIn(json)
    const replies = new HttpReplies(exchange, session, log, requests)
    if (opens) {
      session.sessionId = this.#parts.sessionId()
      this.#sessions.set(session.sessionId ?? '', session)
      if (session.sessionId !== undefined) replies.setHeader('mcp-session-id', session.sessionId)
    }
    receive(exchange.frame, session, dialogue, replies, onError)
    if (requests === 0) exchange.respond(202)
  }

  #stream(exchange: ExamHttp): void {
    const session = this.#sessions.get(exchange.headers['mcp-session-id'] ?? '')
    if (session === undefined) {
      exchange.respond(404)
      return
    }
    const { response } = exchange
    exchange.begin(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    session.deliverBy((bytes) => {
      response.write(encodeSseEvent({ data: bytes }))
    })
    response.once('close', () => {
      session.deliverBy(undefined)
    })
  }

  #delete(exchange: ExamHttp): void {
    const id = exchange.headers['mcp-session-id'] ?? ''
    const session = this.#sessions.get(id)
    this.#sessions.delete(id)
    exchange.respond(session === undefined ? 404 : 200)
    session?.ended('the client deleted the session')
  }

  #open({ frame }: ExamHttp): ExamConnection {
    const { log, answerMs, onConnection } = this.#parts
    const connection: ExamConnection = new ExamConnection('http', {
      log,
      captured: frame.connection,
      answerMs,
      end: () => {
        this.#sessions.delete(connection.sessionId ?? '')
        connection.ended('the exam server ended the session')
      },
    })
    onConnection(connection)
    return connection
  }
}

function opensSession(json: unknown): boolean {
  return isJsonObject(json) && json['method'] === 'initialize'
}

const REFUSED = JSON.stringify({
  jsonrpc: '2.0',
  error: { code: -32600, message: 'The session does not exist' },
})
