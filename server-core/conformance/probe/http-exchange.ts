import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { HttpFacts } from '../../ports/tap.ts'
import { SseParser, type SseEvent } from '../../transports/http/sse-codec.ts'
import type { CapturedConnection, CapturedFrame } from '../frames/captured-frame.ts'
import type { FrameLog } from '../frames/frame-log.ts'
import { parsedOf } from '../frames/parsed-value.ts'
import type { Inbox } from './inbox.ts'
import { requestPieces, type RawHttpRequest } from './http-request.ts'
import { ResponseParser, type ResponseHead } from './http-response-parser.ts'

const MAX_EVENT = 64 * 1024 * 1024
/** Bytes of a body that are kept. */
const MAX_BODY = 16 * 1024 * 1024

/** An event of a stream, and the frame of its message. */
export type StreamEvent = SseEvent & { readonly frame: CapturedFrame | undefined }

/** One HTTP request and what came back, while it comes. */
export class HttpExchange {
  readonly request: RawHttpRequest
  /** Resolves with the head, or undefined if there is no valid one. */
  readonly head: Promise<ResponseHead | undefined>
  /** Resolves when the response has ended, with the reason if it ended early. */
  readonly ended: Promise<string | undefined>
  readonly events: StreamEvent[] = []
  /** The frame of the request. */
  requestFrame: CapturedFrame | undefined
  /** The frame that shows the response's head. */
  responseFrame: CapturedFrame | undefined
  #socket: Socket | undefined
  #body: Buffer[] = []
  #bodyLength = 0
  #isDone = false
  #response: ResponseHead | undefined
  readonly #settleHead = Promise.withResolvers<ResponseHead | undefined>()
  readonly #settleEnd = Promise.withResolvers<string | undefined>()
  readonly #inbox: Inbox
  readonly #log: FrameLog
  readonly #connection: CapturedConnection
  readonly #number: number

  constructor(
    request: RawHttpRequest,
    parts: { inbox: Inbox; log: FrameLog; connection: CapturedConnection; number: number },
  ) {
    this.request = request
    this.#inbox = parts.inbox
    this.#log = parts.log
    this.#connection = parts.connection
    this.#number = parts.number
    this.head = this.#settleHead.promise
    this.ended = this.#settleEnd.promise
    this.#start()
  }

  /** The head, once it is there. */
  get response(): ResponseHead | undefined {
    return this.#response
  }

  get isEnded(): boolean {
    return this.#isDone
  }

  /** The body so far, chunks undone. */
  get body(): Buffer {
    return Buffer.concat(this.#body)
  }

  /** Drops the connection, as a client that gives up. */
  close(): void {
    this.#socket?.destroy()
    this.#finish('closed by the probe')
  }

  #start(): void {
    const { request } = this
    const url = new URL(request.url)
    const isTls = url.protocol === 'https:' || url.protocol === 'wss:'
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const port = Number(url.port || (isTls ? 443 : 80))
    const socket = isTls ? connectTls({ host, port, servername: host }) : connectTcp({ host, port })
    this.#socket = socket
    socket.setNoDelay(true)
    this.requestFrame = this.#recordRequest()
    const events = new SseParser(MAX_EVENT, (event) => {
      this.#event(event)
    })
    const parser = new ResponseParser(
      {
        head: (head) => {
          this.#onHead(head)
        },
        body: (bytes) => {
          if (this.#bodyLength < MAX_BODY) this.#body.push(bytes)
          this.#bodyLength += bytes.length
          if (this.#isStream()) events.push(bytes)
        },
        end: () => {
          this.#finish(undefined)
        },
        invalid: (reason) => {
          this.#finish(reason)
        },
      },
      request.method === 'HEAD',
    )
    socket.on('data', (bytes: Buffer) => {
      if (!this.#isDone) parser.push(bytes)
    })
    socket.on('error', (error: Error) => {
      this.#finish(error.message)
    })
    socket.on('close', () => {
      if (!this.#isDone) parser.close()
    })
    socket.on(isTls ? 'secureConnect' : 'connect', () => void this.#write(socket))
  }

  /** Pieces go out one by one, so that the receiver sees them apart. */
  async #write(socket: Socket): Promise<void> {
    for (const piece of requestPieces(this.request)) {
      await new Promise<void>((resolve) => {
        socket.write(piece, () => {
          setImmediate(resolve)
        })
      })
    }
  }

  #isStream(): boolean {
    return /^text\/event-stream\b/i.test(this.#response?.headers['content-type'] ?? '')
  }

  #onHead(head: ResponseHead): void {
    this.#response = head
    const hasBody = !this.#isStream() && head.headers['content-length'] !== '0' && head.status !== 202
    if (!hasBody || this.request.method !== 'POST') this.responseFrame = this.#recordHead()
    this.#settleHead.resolve(head)
  }

  #event(event: SseEvent): void {
    const data = event.data
    const parsed = data === undefined || event.name !== 'message' ? undefined : parsedOf(data)
    const facts = { ...this.#facts(true), event: eventFacts(event) }
    let frame: CapturedFrame | undefined
    if (parsed?.ok === true) {
      frame = this.#log.record(this.#connection, {
        kind: 'message',
        from: 'server',
        bytes: data ?? Buffer.alloc(0),
        value: parsed.value,
        http: facts,
      })
    } else if (data !== undefined && event.name === 'message' && data.length > 0) {
      frame = this.#log.record(this.#connection, {
        kind: 'invalid',
        from: 'server',
        bytes: data,
        reason: 'an event without a message',
        http: facts,
      })
    }
    this.events.push({ ...event, frame })
    if (frame !== undefined) this.#inbox.add(frame, this)
  }

  #finish(reason: string | undefined): void {
    if (this.#isDone) return
    this.#isDone = true
    if (!this.#isStream() && this.#bodyLength > 0 && this.#response?.status !== 101) this.#recordBody()
    this.#settleHead.resolve(this.#response)
    this.#settleEnd.resolve(reason)
    this.#socket?.destroy()
  }

  #recordBody(): void {
    const bytes = this.body
    const parsed = parsedOf(bytes)
    const isJson = parsed.ok && typeof parsed.value === 'object' && parsed.value !== null
    // What a GET returns is a document, and no message.
    const isDocument = this.request.method === 'GET'
    const frame = this.#log.record(this.#connection, {
      kind: isDocument ? 'http' : isJson ? 'message' : 'invalid',
      from: 'server',
      bytes,
      ...(isJson ? { value: parsed.value } : { reason: 'a body without a message' }),
      http: this.#facts(true),
    })
    this.responseFrame ??= frame
    if (!isDocument) this.#inbox.add(frame, this)
  }

  #recordRequest(): CapturedFrame {
    const { body = '' } = this.request
    const bytes = Buffer.from(body)
    const parsed = bytes.length === 0 ? undefined : parsedOf(bytes)
    const kind = bytes.length === 0 ? 'http' : parsed?.ok === true ? 'message' : 'invalid'
    return this.#log.record(this.#connection, {
      kind,
      from: 'client',
      bytes,
      ...(parsed?.ok === true ? { value: parsed.value } : { reason: 'sent as it is' }),
      http: this.#facts(false),
    })
  }

  #recordHead(): CapturedFrame {
    return this.#log.record(this.#connection, {
      kind: 'http',
      from: 'server',
      bytes: Buffer.alloc(0),
      http: this.#facts(true),
    })
  }

  #facts(isResponse: boolean): HttpFacts {
    const { method, url, headers = {} } = this.request
    const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === null ? [] : [[name.toLowerCase(), typeof value === 'string' ? value : value.join(', ')]],
    )
    return {
      exchange: this.#number,
      method,
      url,
      headers: isResponse ? (this.#response?.headers ?? {}) : Object.fromEntries(sent),
      ...(isResponse && this.#response !== undefined && { status: this.#response.status }),
    }
  }
}

function eventFacts({ id, retry, name }: SseEvent): NonNullable<HttpFacts['event']> {
  return { ...(id !== undefined && { id }), ...(retry !== undefined && { retry }), name }
}
