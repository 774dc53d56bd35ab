import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { WireDirection } from '../../ports/tap.ts'
import {
  counted,
  firstText,
  importedMessage,
  isJsonRpc,
  parsedJson,
  type ImportedFrame,
  type ImportedTraffic,
} from './imported-traffic.ts'

/** Members of a line that may have the message, as an object or as text. */
const MESSAGE_MEMBERS = [
  'message',
  'msg',
  'payload',
  'data',
  'raw',
  'json',
  'frame',
  'body',
  'line',
  'content',
]
const DIRECTION_MEMBERS = ['direction', 'dir', 'from', 'source', 'sender', 'side', 'type', 'kind', 'event']
const TIME_MEMBERS = ['timestamp', 'time', 'ts', 'at', 'date', 'datetime', 'timestamp_ms']
const SENT =
  /^(?:sent|send|out|outgoing|request|client|to[-_ ]?server|c2s|client[-_ ]?(?:to|->|→)[-_ ]?server|->|→|>|stdin)$/i
const RECEIVED =
  /^(?:received|receive|recv|in|incoming|response|server|to[-_ ]?client|s2c|server[-_ ]?(?:to|->|→)[-_ ]?client|<-|←|<|stdout)$/i
/** Methods that a server sends as requests. */
const OF_SERVER = /^(?:sampling\/|elicitation\/|roots\/list$)/
/** Seconds since 1970 are smaller, microseconds larger than milliseconds. */
const LEAST_MS = 100_000_000_000
const MOST_MS = 100_000_000_000_000

/** Reads messages from lines of JSON as other tools write them: bare messages, or objects that have one in a member. */
export function importJsonLines(text: string, now = Date.now()): ImportedTraffic {
  const frames: ImportedFrame[] = []
  const asked = new Map<string, WireDirection>()
  let [others, guessed, untimed, last] = [0, 0, 0, now]
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const found = messageOf(parsedJson(line))
    if (found === undefined) {
      others += 1
      continue
    }
    const { message, bytes, around } = found
    const direction = directionOf(around) ?? guessOf(message, asked)
    if (directionOf(around) === undefined) guessed += 1
    remember(message, direction, asked)
    const at = timeOf(around)
    if (at === undefined) untimed += 1
    last = at ?? last
    frames.push({
      at: last,
      serverName: firstText(around['server'], around['serverName'], around['server_name']) ?? 'imported',
      transport: 'memory',
      frame: importedMessage(direction, bytes),
    })
  }
  return {
    frames,
    notes: [
      ...(others > 0 ? [`${counted(others, 'line', 'lines')} without a message left out`] : []),
      ...(guessed > 0
        ? [`${counted(guessed, 'line', 'lines')} without a direction: it follows from methods and ids`]
        : []),
      ...(untimed > 0 ? [`${counted(untimed, 'line', 'lines')} without a time`] : []),
    ],
  }
}

type Found = { readonly message: unknown; readonly bytes: Buffer; readonly around: JsonObject }

function messageOf(value: unknown): Found | undefined {
  if (isJsonRpc(value)) return { message: value, bytes: Buffer.from(JSON.stringify(value)), around: {} }
  if (!isJsonObject(value)) return undefined
  for (const member of MESSAGE_MEMBERS) {
    const inner = value[member]
    const parsed = typeof inner === 'string' ? parsedJson(inner) : inner
    if (!isJsonRpc(parsed)) continue
    const text = typeof inner === 'string' ? inner.trim() : JSON.stringify(inner)
    return { message: parsed, bytes: Buffer.from(text), around: value }
  }
  return undefined
}

function directionOf(around: JsonObject): WireDirection | undefined {
  for (const member of DIRECTION_MEMBERS) {
    const value = around[member]
    if (typeof value !== 'string') continue
    if (SENT.test(value)) return 'sent'
    if (RECEIVED.test(value)) return 'received'
  }
  return undefined
}

/** Requests come from clients unless only servers send them, and answers go the other way. */
function guessOf(message: unknown, asked: ReadonlyMap<string, WireDirection>): WireDirection {
  if (!isJsonObject(message)) return 'sent'
  const { method, id } = message
  if (typeof method === 'string') {
    if (id !== undefined) return OF_SERVER.test(method) ? 'received' : 'sent'
    return /^notifications\/(?:initialized|roots\/|cancelled)/.test(method) ? 'sent' : 'received'
  }
  return asked.get(JSON.stringify(id)) === 'received' ? 'sent' : 'received'
}

function remember(message: unknown, direction: WireDirection, asked: Map<string, WireDirection>): void {
  if (!isJsonObject(message) || message['id'] === undefined || typeof message['method'] !== 'string') return
  asked.set(JSON.stringify(message['id']), direction)
}

function timeOf(around: JsonObject): number | undefined {
  for (const member of TIME_MEMBERS) {
    const value = around[member]
    if (typeof value === 'string' && !Number.isNaN(Date.parse(value))) return Date.parse(value)
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) continue
    if (value < LEAST_MS) return value * 1_000
    return value > MOST_MS ? value / 1_000 : value
  }
  return undefined
}
