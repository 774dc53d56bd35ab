import { z } from 'zod'
import type { HttpFacts } from '../../ports/tap.ts'
import { SseParser } from '../../transports/http/sse-codec.ts'
import {
  counted,
  importedMessage,
  isJsonRpc,
  parsedJson,
  type ImportedFrame,
  type ImportedTraffic,
} from './imported-traffic.ts'

const LONGEST_EVENT = 64 * 1024 * 1024
const SECOND_MS = 1_000
const NO_BYTES = new Uint8Array()

const headers = z.array(z.object({ name: z.string(), value: z.string() })).default([])
const entrySchema = z.object({
  startedDateTime: z.string(),
  time: z.number().nullish(),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers,
    postData: z.object({ text: z.string().optional() }).nullish(),
  }),
  response: z.object({
    status: z.int(),
    headers,
    content: z.object({ text: z.string().optional(), encoding: z.string().optional() }).nullish(),
  }),
  timings: z.object({ wait: z.number().nullish() }).nullish(),
  /** As Chrome writes them. */
  _webSocketMessages: z
    .array(z.object({ type: z.enum(['send', 'receive']), time: z.number(), data: z.string() }))
    .nullish(),
})
type Entry = z.infer<typeof entrySchema>

/** Whether a parsed file looks like HAR. */
export function isHar(value: unknown): boolean {
  return harSchema.safeParse(value).success
}
const harSchema = z.object({ log: z.object({ entries: z.array(z.unknown()) }) })

/** Reads what travelled between MCP clients and servers from a HAR file. Anything else in it is left out, and counted. */
export function importHar(value: unknown): ImportedTraffic {
  const { entries } = harSchema.parse(value).log
  const [read, notes]: [Entry[], string[]] = [[], []]
  const broken = new Map<string, number>()
  for (const each of entries) {
    const entry = entrySchema.safeParse(each)
    if (entry.success && !Number.isNaN(Date.parse(entry.data.startedDateTime))) read.push(entry.data)
    else {
      const why = entry.success
        ? 'startedDateTime is not a date'
        : z.prettifyError(entry.error).split('\n')[0]
      broken.set(why ?? '', (broken.get(why ?? '') ?? 0) + 1)
    }
  }
  for (const [why, count] of broken)
    notes.push(`${counted(count, 'entry', 'entries')} cannot be read: ${why}`)
  const servers = new Set(read.filter(hasMessages).map(addressOf))
  const ours = read.filter((entry) => servers.has(addressOf(entry)))
  if (read.length > ours.length)
    notes.push(`${counted(read.length - ours.length, 'entry', 'entries')} without MCP messages left out`)
  const frames = ours.flatMap((entry, index) => framesOf(entry, index + 1))
  if (frames.some(({ frame }) => 'http' in frame && frame.http.event !== undefined))
    notes.push('HAR has no times of the events in a stream: they are at the end of their answer')
  return { frames, notes }
}

function framesOf(entry: Entry, exchange: number): ImportedFrame[] {
  const { request, response, _webSocketMessages: messages } = entry
  const startedAt = Date.parse(entry.startedDateTime)
  const serverName = hostOf(request.url)
  if (messages !== null && messages !== undefined) return socketFrames(entry, exchange, messages)
  const place = { serverName, transport: 'http' } as const
  const asked: HttpFacts = {
    exchange,
    method: request.method,
    url: request.url,
    headers: headersOf(request.headers),
  }
  const body = Buffer.from(request.postData?.text ?? '')
  const frames: ImportedFrame[] = [
    {
      ...place,
      at: startedAt,
      frame:
        body.length === 0
          ? { kind: 'http', direction: 'sent', bytes: NO_BYTES, http: asked }
          : importedMessage('sent', body, asked),
    },
  ]
  // A request without an answer has the status 0.
  const answered = { ...asked, headers: headersOf(response.headers) }
  const endedAt = startedAt + Math.max(0, entry.time ?? 0)
  if (response.status === 0) {
    const bytes = Buffer.from('no answer in the HAR file')
    return [
      ...frames,
      { ...place, at: endedAt, frame: { kind: 'http', direction: 'received', bytes, http: answered } },
    ]
  }
  const http = { ...answered, status: response.status }
  for (const { bytes, event } of bodiesOf(response, http))
    frames.push({
      ...place,
      at: endedAt,
      frame:
        bytes.length === 0
          ? { kind: 'http', direction: 'received', bytes: NO_BYTES, http }
          : importedMessage('received', bytes, { ...http, ...(event && { event }) }),
    })
  return frames
}

function bodiesOf(
  { content }: Entry['response'],
  { headers: { 'content-type': type = '' } }: HttpFacts,
): { readonly bytes: Buffer; readonly event?: HttpFacts['event'] }[] {
  const bytes = Buffer.from(content?.text ?? '', content?.encoding === 'base64' ? 'base64' : 'utf8')
  if (!/^text\/event-stream\b/i.test(type)) return [{ bytes }]
  const events: { bytes: Buffer; event: HttpFacts['event'] }[] = []
  const parser = new SseParser(LONGEST_EVENT, ({ name, data, id, retry }) => {
    if (data === undefined || data.length === 0) return
    const event = {
      ...(name !== 'message' && { name }),
      ...(id !== undefined && { id }),
      ...(retry !== undefined && { retry }),
    }
    events.push({ bytes: data, event })
  })
  parser.push(bytes)
  return events.length === 0 ? [{ bytes: Buffer.alloc(0) }] : events
}

function socketFrames(
  { request, startedDateTime }: Entry,
  connection: number,
  messages: NonNullable<Entry['_webSocketMessages']>,
): ImportedFrame[] {
  const place = { serverName: hostOf(request.url), transport: 'websocket', connection } as const
  const at = Date.parse(startedDateTime)
  const opened = {
    kind: 'lifecycle',
    direction: 'sent',
    bytes: NO_BYTES,
    event: 'opened',
    note: request.url,
  } as const
  return [
    { ...place, at, frame: opened },
    ...messages.map(({ type, time, data }) => ({
      ...place,
      at: time * SECOND_MS,
      frame: importedMessage(type === 'send' ? 'sent' : 'received', Buffer.from(data)),
    })),
  ]
}

function hasMessages({ request, response, _webSocketMessages: messages }: Entry): boolean {
  if (messages !== null && messages !== undefined)
    return messages.some(({ data }) => isJsonRpc(parsedJson(data)))
  if (isJsonRpc(parsedJson(request.postData?.text ?? ''))) return true
  const text = response.content?.text ?? ''
  return isJsonRpc(parsedJson(text)) || /^data: ?\{"jsonrpc"/m.test(text)
}

/** The address without what a request adds to it. */
function addressOf({ request: { url } }: Entry): string {
  return url.replace(/[?#].*$/, '')
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'unknown'
}

function headersOf(pairs: z.infer<typeof headers>): Record<string, string> {
  const joined = new Map<string, string>()
  for (const { name, value } of pairs) {
    // Pseudo headers of HTTP/2 are the request line.
    if (name.startsWith(':')) continue
    const present = joined.get(name.toLowerCase())
    joined.set(name.toLowerCase(), present === undefined ? value : `${present}, ${value}`)
  }
  return Object.fromEntries(joined)
}
