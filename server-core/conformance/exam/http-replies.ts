import type { JsonObject } from '../../protocol/json.ts'
import { encodeSseEvent } from '../../transports/http/sse-codec.ts'
import type { CapturedFrame } from '../frames/captured-frame.ts'
import type { FrameLog } from '../frames/frame-log.ts'
import { sentFrame } from '../probe/stdio-connection.ts'
import type { ExamConnection } from './exam-connection.ts'
import type { ExamHttp } from './exam-http.ts'
import type { ReplyWriter } from './exam-session.ts'
import { responseOf, type Reply } from './reply.ts'
import { writeApart } from './write-apart.ts'

/** Writes the reply of a POST over Streamable HTTP: JSON, or an event stream once something comes before it. */
export class HttpReplies implements ReplyWriter {
  readonly headers: Readonly<Record<string, string>>
  readonly #http: ExamHttp
  readonly #connection: ExamConnection
  readonly #log: FrameLog
  /** How many requests the body holds; an array is answered as a stream. */
  #open: number
  readonly #extra: Record<string, string> = {}

  constructor(http: ExamHttp, connection: ExamConnection, log: FrameLog, open: number) {
    this.#http = http
    this.#connection = connection
    this.#log = log
    this.#open = open
    this.headers = http.headers
    if (open > 1) this.#begin()
  }

  /** A header of the response, before it begins. */
  setHeader(name: string, value: string): void {
    this.#extra[name] = value
  }

  send = (message: unknown): CapturedFrame => {
    this.#begin()
    const isRaw = typeof message === 'string' || message instanceof Uint8Array
    const bytes = isRaw ? Buffer.from(message) : Buffer.from(JSON.stringify(message))
    const frame = this.#record(bytes, isRaw ? undefined : message)
    this.#http.response.write(encodeSseEvent({ data: bytes }))
    return frame
  }

  reply = (request: JsonObject, reply: Reply): void => {
    const { response } = this.#http
    this.#open -= 1
    if ('silent' in reply) {
      this.#begin()
      return
    }
    if ('close' in reply) {
      response.destroy()
      return
    }
    if ('http' in reply) {
      if (response.headersSent) response.end()
      else this.#http.respond(reply.http.status, { ...this.#extra, ...reply.http.headers }, reply.http.body)
      return
    }
    if ('pieces' in reply) {
      this.#record(Buffer.concat(reply.pieces), undefined)
      response.writeHead(200, { ...this.#extra, 'content-type': 'application/json' })
      void writeApart(response, reply.pieces).then(() => response.end())
      return
    }
    const value = 'bytes' in reply ? undefined : responseOf(request, reply)
    const bytes = 'bytes' in reply ? Buffer.from(reply.bytes) : Buffer.from(JSON.stringify(value))
    for (const waiting of this.#connection.takeUndelivered()) {
      this.#begin()
      response.write(encodeSseEvent({ data: waiting }))
    }
    this.#record(bytes, value)
    if (response.headersSent) {
      response.write(encodeSseEvent({ data: bytes }))
      if (this.#open <= 0) response.end()
    } else {
      this.#http.respond(200, { ...this.#extra, 'content-type': 'application/json' }, bytes)
    }
  }

  begin = (): void => {
    this.#begin()
  }

  #begin(): void {
    const { response } = this.#http
    if (response.headersSent) return
    this.#http.begin(200, {
      ...this.#extra,
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
    })
  }

  #record(bytes: Uint8Array, value: unknown): CapturedFrame {
    return this.#log.record(this.#connection.captured, { ...sentFrame(bytes, value), from: 'server' })
  }
}
