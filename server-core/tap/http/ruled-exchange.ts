import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import { buffer } from 'node:stream/consumers'
import type { Frame, HttpFacts } from '../../ports/tap.ts'
import { messageOf } from '../../protocol/error-message.ts'
import type { MessageReader } from '../rules/message-facts.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { httpFrame, observeBody } from './body-observer.ts'
import { EventCutter, withData } from './event-cutter.ts'
import { joinedHeaders, requestHeaders, responseHeaders, type RawHeaders } from './forwarded-headers.ts'
import { addressOf, fail, type ExchangeContext } from './http-exchange.ts'
import type { HttpRules } from './http-rules.ts'

const LONGEST_BODY = 64 * 1024 * 1024
const OK = 200
const ACCEPTED = 202
const TOO_LARGE = 413
const NO_BYTES = new Uint8Array()

/** Forwards one request and its answer message by message, as rules and network conditions say. */
export async function forwardRuled(
  context: ExchangeContext,
  rules: HttpRules,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  await new RuledExchange(context, rules, request, response).run()
}

class RuledExchange {
  readonly #context: ExchangeContext
  readonly #rules: HttpRules
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #asked: HttpFacts
  readonly #reader: MessageReader
  readonly #upstreams = new Set<ClientRequest>()
  /** What the answer's frames are recorded with. */
  #answered: HttpFacts
  #isOver = false

  constructor(
    context: ExchangeContext,
    rules: HttpRules,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    this.#context = context
    this.#rules = rules
    this.#request = request
    this.#response = response
    const headers = joinedHeaders(request.rawHeaders)
    this.#asked = {
      exchange: context.nextExchange(),
      method: request.method ?? 'GET',
      url: new URL(request.url ?? '/', context.target).href,
      headers,
    }
    this.#answered = { ...this.#asked, headers: { 'content-type': 'application/json' }, status: OK }
    this.#reader = rules.reader(headers['mcp-session-id'])
    response.on('close', () => this.#left())
  }

  async run(): Promise<void> {
    try {
      const body = await this.#body(this.#request)
      if (body === undefined) {
        this.#isOver = true
        fail(this.#response, `The tap looks at bodies of at most ${LONGEST_BODY} bytes.`, TOO_LARGE)
        return
      }
      const { forwarded, replies } = await this.#ruledRequest(body)
      if (this.#isOver) return
      const [first, ...copies] = forwarded
      const [reply] = replies
      if (first !== undefined) {
        for (const copy of copies) this.#sendCopy(copy)
        await this.#send(first)
      } else if (reply !== undefined) this.#reply(reply)
      else if (!isRequest(body)) this.#acknowledge()
    } catch (error) {
      this.#failed(error)
    }
  }

  async #ruledRequest(body: Buffer) {
    const [forwarded, replies]: [Buffer[], Buffer[]] = [[], []]
    if (body.length === 0) {
      this.#context.tap.record({ kind: 'http', direction: 'sent', bytes: NO_BYTES, http: this.#asked })
      return { forwarded: [body], replies }
    }
    await this.#rules.apply(body, {
      direction: 'to-server',
      reader: this.#reader,
      forward: (bytes) => forwarded.push(bytes),
      back: (bytes) => replies.push(bytes),
      record: (frame) => this.#record(frame),
      close: () => this.#close(),
    })
    return { forwarded, replies }
  }

  /** Sends a request body to the server and its answer to the client. */
  async #send(body: Buffer): Promise<void> {
    const upstream = this.#upstream(body)
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      upstream.on('error', reject)
      upstream.on('response', resolve)
    })
    await this.#forwardAnswer(answer)
  }

  /** A second copy of a request: its answer has no place in the client's exchange. */
  #sendCopy(body: Buffer): void {
    const upstream = this.#upstream(body)
    upstream.on('error', () => undefined)
    upstream.on('response', (answer) => answer.resume())
  }

  #upstream(body: Buffer, method = this.#asked.method): ClientRequest {
    const { target, agent } = this.#context
    const { url: path = '/', rawHeaders } = this.#request
    const upstream = (target.protocol === 'https:' ? https : http).request({
      ...addressOf(target),
      agent,
      method,
      path,
      headers: readableRequest(requestHeaders(rawHeaders, target.host), body),
      setDefaultHeaders: false,
    })
    this.#upstreams.add(upstream)
    upstream.on('close', () => this.#upstreams.delete(upstream))
    const shaper = this.#rules.shaper({
      direction: 'to-server',
      out: (bytes) => void upstream.write(bytes),
      close: (reason) => this.#broken(reason),
      full: () => undefined,
    })
    if (shaper === undefined) upstream.end(body)
    else {
      shaper.push(body)
      void shaper.end().then(() => {
        if (!this.#isOver) upstream.end()
      })
    }
    return upstream
  }

  async #forwardAnswer(answer: IncomingMessage): Promise<void> {
    const { statusCode: status = OK, rawHeaders } = answer
    this.#answered = { ...this.#asked, headers: joinedHeaders(rawHeaders), status }
    const response = this.#response
    const shaper = this.#rules.shaper({
      direction: 'to-client',
      out: (bytes) => {
        if (!response.destroyed && !response.write(bytes)) answer.pause()
      },
      close: (reason) => this.#broken(reason),
      full: (isFull) => (isFull ? answer.pause() : answer.resume()),
    })
    response.on('drain', () => answer.resume())
    const out = (bytes: Buffer): void => {
      if (response.destroyed) return
      if (shaper !== undefined) shaper.push(bytes)
      else if (!response.write(bytes)) answer.pause()
    }
    const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = this.#answered.headers
    if (encoding.trim().toLowerCase() !== 'identity') await this.#unreadAnswer(answer, out)
    else if (/^text\/event-stream\b/i.test(type)) await this.#events(answer, out)
    else if (!(await this.#wholeAnswer(answer, out))) return
    await shaper?.end()
    if (this.#hasEnded()) return
    this.#isOver = true
    response.end()
  }

  /** The server compressed its answer although it was asked not to. */
  async #unreadAnswer(answer: IncomingMessage, out: (bytes: Buffer) => void): Promise<void> {
    const observer = observeBody(this.#context.tap, 'received', this.#answered)
    this.#head(answer, answer.rawHeaders)
    answer.on('data', (chunk: Buffer) => {
      observer.push(chunk)
      out(chunk)
    })
    await ended(answer)
    observer.end()
  }

  /** Returns whether anything goes to the client. */
  async #wholeAnswer(answer: IncomingMessage, out: (bytes: Buffer) => void): Promise<boolean> {
    const body = await this.#body(answer)
    if (body === undefined) throw new Error(`the answer is longer than ${LONGEST_BODY} bytes`)
    if (body.length === 0) {
      this.#context.tap.record({
        kind: 'http',
        direction: 'received',
        bytes: NO_BYTES,
        http: this.#answered,
      })
      this.#head(answer, answer.rawHeaders)
      return true
    }
    const parts: Buffer[] = []
    await this.#applyToClient(body, (bytes) => parts.push(bytes))
    if (this.#hasEnded()) return false
    if (parts.length === 0) return false
    const whole = Buffer.concat(parts)
    this.#head(answer, whole === body ? answer.rawHeaders : bodyHeaders(answer.rawHeaders, whole))
    out(whole)
    return true
  }

  async #events(answer: IncomingMessage, out: (bytes: Buffer) => void): Promise<void> {
    this.#head(answer, withoutHeader(answer.rawHeaders, 'content-length'))
    const { tap } = this.#context
    if (this.#asked.method === 'GET')
      tap.record({ kind: 'http', direction: 'received', bytes: NO_BYTES, http: this.#answered })
    const applying = new Set<Promise<void>>()
    const cutter = new EventCutter(LONGEST_BODY, ({ bytes, event }) => {
      const data = event?.data
      if (event === undefined || data === undefined || data.length === 0) {
        out(bytes)
        return
      }
      const facts = {
        ...(event.name !== 'message' && { name: event.name }),
        ...(event.id !== undefined && { id: event.id }),
        ...(event.retry !== undefined && { retry: event.retry }),
      }
      const forward = (changed: Buffer): void => out(changed === data ? bytes : withData(event, changed))
      const applied = this.#applyToClient(data, forward, facts)
        .catch((error: unknown) => this.#failed(error))
        .finally(() => applying.delete(applied))
      applying.add(applied)
    })
    answer.on('data', (chunk: Buffer) => cutter.push(chunk))
    await ended(answer)
    cutter.end()
    await Promise.all(applying)
  }

  #applyToClient(
    message: Buffer,
    forward: (bytes: Buffer) => void,
    event?: HttpFacts['event'],
  ): Promise<void> {
    return this.#rules.apply(message, {
      direction: 'to-client',
      reader: this.#reader,
      forward,
      // What answers a request of the server is a request of its own.
      back: (bytes) => this.#answerServer(bytes),
      record: (frame) => this.#record(frame, event),
      close: () => this.#close(),
    })
  }

  #answerServer(bytes: Buffer): void {
    const upstream = this.#upstream(bytes, 'POST')
    upstream.on('error', (error) => this.#note(`the answer did not reach the server: ${error.message}`))
    upstream.on('response', (answer) => answer.resume())
  }

  #head({ statusCode = OK, statusMessage = '' }: IncomingMessage, headers: RawHeaders): void {
    this.#response.sendDate = false
    this.#response.writeHead(statusCode, statusMessage, responseHeaders(headers))
    this.#response.flushHeaders()
  }

  #reply(bytes: Buffer): void {
    this.#isOver = true
    this.#response.writeHead(OK, { 'content-type': 'application/json', 'content-length': bytes.length })
    this.#response.end(bytes)
  }

  /** A notification that was dropped: the client is not told. */
  #acknowledge(): void {
    this.#isOver = true
    this.#response.writeHead(ACCEPTED, { 'content-length': 0 })
    this.#response.end()
  }

  async #body(message: IncomingMessage): Promise<Buffer | undefined> {
    let length = 0
    message.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > LONGEST_BODY) message.destroy()
    })
    try {
      return await buffer(message)
    } catch (error) {
      if (length > LONGEST_BODY) return undefined
      throw error
    }
  }

  #record(frame: Frame, event?: HttpFacts['event']): void {
    const { tap } = this.#context
    if (frame.kind === 'fault') tap.record({ ...frame, http: this.#asked })
    else if (frame.kind === 'message' || frame.kind === 'invalid') {
      const isSent = frame.direction === 'sent'
      const facts = isSent ? this.#asked : { ...this.#answered, ...(event && { event }) }
      tap.record({ ...frame, http: facts })
    } else tap.record(frame)
  }

  #note(text: string): void {
    this.#context.tap.record({
      kind: 'fault',
      direction: 'sent',
      bytes: Buffer.from(text),
      http: this.#asked,
    })
  }

  // It may end while something is waited for, which the compiler does not see.
  #hasEnded(): boolean {
    return this.#isOver
  }

  #broken(reason: string): void {
    this.#note(`conditions: ${reason}`)
    this.#close()
  }

  #close(): void {
    this.#isOver = true
    this.#response.destroy()
    this.#request.socket.destroy()
    for (const upstream of this.#upstreams) upstream.destroy()
  }

  /** The client went away before it had its answer. */
  #left(): void {
    if (this.#isOver || this.#response.writableFinished) return
    this.#isOver = true
    const http = { ...this.#asked, headers: {} }
    this.#context.tap.record({ kind: 'http', direction: 'sent', bytes: NO_BYTES, http })
    for (const upstream of this.#upstreams) upstream.destroy()
  }

  #failed(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    const http = { ...this.#asked, headers: {} }
    const bytes = Buffer.from(messageOf(error))
    this.#context.tap.record({ kind: 'http', direction: 'received', bytes, http })
    if (this.#response.headersSent) this.#response.destroy()
    else fail(this.#response, `The tap cannot reach ${this.#context.target.origin}: ${messageOf(error)}.`)
  }
}

/** A request whose answer rules look at: it must not be compressed. */
function readableRequest(headers: RawHeaders, body: Buffer): string[] {
  return [...bodyHeaders(withoutHeader(headers, 'accept-encoding'), body), 'Accept-Encoding', 'identity']
}

/** Headers of a body of this length. */
function bodyHeaders(headers: RawHeaders, body: Buffer): string[] {
  const kept = ['content-length', 'transfer-encoding'].reduce(withoutHeader, [...headers])
  return body.length > 0 ? [...kept, 'Content-Length', String(body.length)] : kept
}

function withoutHeader(headers: RawHeaders, without: string): string[] {
  const kept: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? ''
    if (name.toLowerCase() !== without) kept.push(name, headers[at + 1] ?? '')
  }
  return kept
}

function ended(answer: IncomingMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    answer.on('end', resolve)
    answer.on('error', reject)
  })
}

/** Whether a body is a request, which waits for an answer. */
function isRequest(body: Buffer): boolean {
  const { parsed } = { parsed: undefined, ...httpFrame('sent', body, NO_FACTS) }
  return isJsonObject(parsed) && typeof parsed['method'] === 'string' && parsed['id'] !== undefined
}

const NO_FACTS: HttpFacts = { exchange: 0, method: '', url: '', headers: {} }
