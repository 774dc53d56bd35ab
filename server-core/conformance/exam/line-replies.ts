import type { JsonObject } from '../../protocol/json.ts'
import type { CapturedFrame } from '../frames/captured-frame.ts'
import type { ExamConnection } from './exam-connection.ts'
import type { ReplyWriter } from './exam-session.ts'
import { responseOf, type Reply } from './reply.ts'

/** Writes replies to the one stream of a connection: stdio, WebSocket, HTTP+SSE. */
export class LineReplies implements ReplyWriter {
  readonly headers: Readonly<Record<string, string>>
  readonly #connection: ExamConnection

  constructor(connection: ExamConnection, headers: Readonly<Record<string, string>> = {}) {
    this.#connection = connection
    this.headers = headers
  }

  send = (message: unknown): CapturedFrame => this.#connection.send(message)

  reply = (request: JsonObject, reply: Reply): void => {
    if ('close' in reply) this.#connection.close()
    else if ('pieces' in reply) this.#connection.sendPieces(reply.pieces)
    else if ('bytes' in reply) this.#connection.send(reply.bytes)
    else if (!('silent' in reply) && !('http' in reply)) this.#connection.send(responseOf(request, reply))
  }
}
