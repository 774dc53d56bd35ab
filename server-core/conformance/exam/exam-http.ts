import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { CapturedConnection, CapturedFrame } from '../frames/captured-frame.ts'
import type { FrameLog } from '../frames/frame-log.ts'
import { parsedOf } from '../frames/parsed-value.ts'

/** One HTTP request of the client, with the response to write. */
export type ExamHttp = {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Every header as it came: name, value. */
  readonly rawHeaders: readonly (readonly [string, string])[]
  readonly body: Buffer
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown
  readonly frame: CapturedFrame
  readonly response: ServerResponse
  /** Writes the head of a response, whose body the caller writes. */
  readonly begin: (status: number, headers?: Readonly<Record<string, string>>) => void
  /** Writes a whole response. */
  readonly respond: (
    status: number,
    headers?: Readonly<Record<string, string>>,
    body?: string | Uint8Array,
  ) => void
}

/** Answers a request itself and returns true, or leaves it to the server. */
export type HttpHandler = (exchange: ExamHttp) => boolean | Promise<boolean>

/** Reads a request to its end, and records it and the head of its response. */
export async function readExchange(
  request: IncomingMessage,
  response: ServerResponse,
  parts: {
    log: FrameLog
    captured: (headers: Readonly<Record<string, string>>, json: unknown) => CapturedConnection
    number: number
  },
): Promise<ExamHttp> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const headers: Record<string, string> = {}
  const rawHeaders: [string, string][] = []
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? ''
    const value = request.rawHeaders[index + 1] ?? ''
    rawHeaders.push([name, value])
    const key = name.toLowerCase()
    headers[key] = Object.hasOwn(headers, key) ? `${headers[key] ?? ''}, ${value}` : value
  }
  const { method = '', url = '' } = request
  const parsed = body.length === 0 ? { ok: false as const } : parsedOf(body)
  const isJson = parsed.ok && /json/.test(headers['content-type'] ?? '')
  // Authorization servers speak JSON too.
  const isMcp = /^\/(mcp|sse)\b/.test(url)
  const captured = parts.captured(headers, parsed.ok ? parsed.value : undefined)
  const facts = { exchange: parts.number, method, url, headers }
  const frame = parts.log.record(captured, {
    kind: body.length === 0 || !isMcp ? 'http' : isJson ? 'message' : 'invalid',
    from: 'client',
    bytes: body,
    ...(isJson ? { value: parsed.value } : { reason: 'a body that is not JSON' }),
    http: facts,
  })
  const sent = noteHeaders(response)
  response.once('close', () => {
    parts.log.record(captured, {
      kind: 'http',
      from: 'server',
      bytes: Buffer.alloc(0),
      http: { ...facts, headers: sent(), status: response.statusCode },
    })
  })
  // Headers that `writeHead` is given are not among the headers that a response lists itself.
  const begin = (status: number, own: Readonly<Record<string, string>> = {}): void => {
    for (const [name, value] of Object.entries(own)) response.setHeader(name, value)
    response.writeHead(status)
    if (!response.writableEnded) response.flushHeaders()
  }
  return {
    method,
    path: url,
    headers,
    rawHeaders,
    body,
    json: parsed.ok ? parsed.value : undefined,
    frame,
    response,
    begin,
    respond: (status, own = {}, text = '') => {
      begin(status, own)
      response.end(text)
    },
  }
}

/** Node forgets the headers that are given with the head, so they are noted as they are written. */
function noteHeaders(response: ServerResponse): () => Record<string, string> {
  const write = response.writeHead.bind(response)
  let sent: OutgoingHttpHeaders = {}
  Object.assign(response, {
    writeHead: (status: number, headers: OutgoingHttpHeaders = {}) => {
      sent = headers
      return write(status, headers)
    },
  })
  return () =>
    Object.fromEntries(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), String(value)]))
}
