import { writeFile } from 'node:fs/promises'
import type { NumberedFrame, RecordingView } from '../recording-view.ts'
import { httpExchanges, type HttpExchange, type WebSocketTraffic } from './http-exchanges.ts'

const OWNER_ONLY = 0o600

/** Writes the HTTP requests of a recording as HAR 1.2. Returns what HAR could not represent, in words. */
export async function exportHar(view: RecordingView, file: string): Promise<string[]> {
  const { exchanges, sockets, others } = await httpExchanges(view)
  const log = {
    version: '1.2',
    creator: { name: 'Patchbay', version: '1' },
    entries: [...exchanges.map(entryOf), ...sockets.map(socketEntry)],
  }
  await writeFile(file, `${JSON.stringify({ log }, undefined, 2)}\n`, { mode: OWNER_ONLY })
  return [
    ...(others > 0
      ? [
          `${others} messages are left out: HAR has HTTP and WebSockets only, and they came over another transport`,
        ]
      : []),
    ...view.problems,
  ]
}

function entryOf({ request, responses }: HttpExchange): unknown {
  const { http, bytes } = request
  const url = absolute(http.url, http.headers)
  const answered = responses.filter(({ direction }) => direction === 'received')
  const [head] = answered
  const time = Math.max(0, (answered.at(-1)?.at ?? request.at) - request.at)
  const wait = Math.max(0, (head?.at ?? request.at) - request.at)
  const headers = head?.http?.headers ?? {}
  const type = headers['content-type'] ?? ''
  const text = bodyOf(answered, type)
  return {
    startedDateTime: new Date(request.at).toISOString(),
    time,
    request: {
      method: http.method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(http.headers),
      queryString: queryOf(url),
      headersSize: -1,
      bodySize: bytes.length,
      ...(bytes.length > 0 && {
        postData: { mimeType: http.headers['content-type'] ?? 'application/json', text: bytes.toString() },
      }),
    },
    response: {
      status: head?.http?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(headers),
      content: { size: Buffer.byteLength(text), mimeType: type === '' ? 'x-unknown' : type, text },
      redirectURL: headers['location'] ?? '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait, receive: time - wait },
  }
}

/** A WebSocket as Chrome writes it: its messages in `_webSocketMessages`, with times in seconds. */
function socketEntry({ server, messages, handshake }: WebSocketTraffic): unknown {
  const [first] = messages
  const startedAt = first?.at ?? 0
  const time = Math.max(0, (messages.at(-1)?.at ?? startedAt) - startedAt)
  const url =
    handshake === undefined
      ? `ws://${encodeURI(server)}/`
      : absolute(handshake.url, handshake.headers).replace(/^http/, 'ws')
  return {
    _resourceType: 'websocket',
    startedDateTime: new Date(startedAt).toISOString(),
    time,
    request: {
      method: 'GET',
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(handshake?.headers ?? {}),
      queryString: queryOf(url),
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status: 101,
      statusText: 'Switching Protocols',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [],
      content: { size: 0, mimeType: 'x-unknown' },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: time },
    _webSocketMessages: messages.map(({ direction, at, bytes }) => ({
      type: direction === 'sent' ? 'send' : 'receive',
      time: at / 1_000,
      opcode: 1,
      data: bytes.toString(),
    })),
  }
}

/** The body as it was, or for a stream its events with the fields they had. */
function bodyOf(frames: readonly NumberedFrame[], type: string): string {
  if (!type.startsWith('text/event-stream')) return frames.map(({ bytes }) => bytes.toString()).join('')
  return frames
    .filter(({ bytes }) => bytes.length > 0)
    .map(({ bytes, http }) => {
      const { id, name, retry } = http?.event ?? {}
      const fields = [
        ...(name === undefined ? [] : [`event: ${name}`]),
        ...(id === undefined ? [] : [`id: ${id}`]),
        ...(retry === undefined ? [] : [`retry: ${retry}`]),
        ...bytes
          .toString()
          .split('\n')
          .map((line) => `data: ${line}`),
      ]
      return `${fields.join('\n')}\n\n`
    })
    .join('')
}

function pairs(headers: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }))
}

/** The address of a request that a server saw has no host but that of its header. */
export function absolute(url: string, headers: Readonly<Record<string, string>>): string {
  return /^(?:https?|wss?):/.test(url) ? url : `http://${headers['host'] ?? 'unknown'}${url}`
}

function queryOf(url: string): { name: string; value: string }[] {
  if (!URL.canParse(url)) return []
  return Array.from(new URL(url).searchParams, ([name, value]) => ({ name, value }))
}
