import type { Frame, HttpFacts, Tap } from '../ports/tap.ts'
import type { Exchange } from './exchange.ts'
import { TrafficLog } from './traffic-log.ts'

export const encoder = new TextEncoder()
export const SOURCE = { serverId: 's1', serverName: 'notes', side: 'client' } as const

/** A message as a transport records it; the log parses it. */
export function message(direction: 'sent' | 'received', value: unknown, http?: HttpFacts): Frame {
  const bytes = encoder.encode(JSON.stringify(value))
  return { kind: 'message', direction, bytes, ...(http === undefined ? {} : { http }) }
}

/** The HTTP facts of one exchange of a client. */
export function facts(exchange: number, more: Partial<HttpFacts> = {}): HttpFacts {
  return { exchange, method: 'POST', url: 'http://127.0.0.1:4040/mcp', headers: {}, ...more }
}

/** A log after one connection's frames. */
export function talk(...frames: readonly Frame[]): { log: TrafficLog; rows: Exchange[]; tap: Tap } {
  const log = new TrafficLog()
  const tap = log.tap(SOURCE)
  for (const frame of frames) tap.record(frame)
  return { log, tap, rows: log.rows() }
}

/** A `tools/call` as a peer would send it. */
export const call = (id: number | string, name = 'forecast', more: object = {}): unknown => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {}, ...more },
})
/** The answer to it. */
export const result = (id: number | string, value: object = { content: [] }): unknown => ({
  jsonrpc: '2.0',
  id,
  result: value,
})
/** A notification. */
export const notify = (method: string, params: object = {}): unknown => ({ jsonrpc: '2.0', method, params })
