import { expect, it } from 'vitest'
import { MetaKey } from '../../protocol/meta-keys.ts'
import type { HttpFacts } from '../../ports/tap.ts'
import { loadCatalogue } from '../catalogue/load-catalogue.ts'
import { FrameLog } from '../frames/frame-log.ts'
import { inspectFrames } from '../run/inspect-frames.ts'
import { selectChecks } from '../run/select-checks.ts'
import type { Cell } from '../verdict.ts'
import { loadChecks } from './load-checks.ts'

const [catalogue, checks] = await Promise.all([loadCatalogue(), loadChecks()])

/** One message, by side, and how it came. */
type Line = readonly ['client' | 'server', object, HttpFacts?]

/** What one passive check says of a conversation. */
function examined(id: string, cell: Cell, lines: readonly Line[]): readonly string[] {
  const log = new FrameLog()
  const connection = log.connection(cell.transport, cell.revision)
  for (const [from, message, http] of lines) {
    const value = { jsonrpc: '2.0', ...message }
    const bytes = Buffer.from(JSON.stringify(value))
    log.record(connection, { kind: 'message', from, bytes, value, ...(http !== undefined && { http }) })
  }
  const only = (each: string) => each === id
  const [result] = inspectFrames(selectChecks({ catalogue, checks, only }, cell), cell, log.frames)
  return result?.findings.map(({ actual }) => actual) ?? ['the check does not belong here']
}

const info = { name: 'a', version: '1' }
const modern: Cell = { side: 'server', revision: '2026-07-28', transport: 'stdio' }

it('accepts an older session beside 2026-07-28: no serverInfo in its results', () => {
  const initialized = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: info }
  const lines: readonly Line[] = [
    ['client', { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } }],
    ['server', { id: 1, result: initialized }],
    ['client', { id: 2, method: 'ping' }],
    ['server', { id: 2, result: {} }],
  ]
  expect(examined('meta.server-info', modern, lines)).toEqual([])
  const envelope = { _meta: { [MetaKey.protocolVersion]: '2026-07-28' } }
  const without: readonly Line[] = [
    ['client', { id: 3, method: 'server/discover', params: envelope }],
    ['server', { id: 3, result: {} }],
  ]
  expect(examined('meta.server-info', modern, without)).toHaveLength(1)
})

it('accepts a client that falls back to an older revision: no envelope from then on', () => {
  const client: Cell = { side: 'client', revision: '2026-07-28', transport: 'stdio' }
  const lines: readonly Line[] = [
    ['client', { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } }],
    ['client', { id: 2, method: 'tools/list' }],
  ]
  expect(examined('meta.required.client', client, lines)).toEqual([])
  expect(examined('meta.required.client', client, lines.slice(1))).not.toEqual([])
})

it('accepts the answer of an older revision to a request without envelope', () => {
  const ping = (params: object): readonly Line[] => [
    ['client', { id: 1, method: 'server/discover', ...params }],
    ['server', { id: 1, result: {} }],
  ]
  const _meta = { [MetaKey.protocolVersion]: '2026-07-28' }
  expect(examined('schema.messages.server', modern, ping({}))).toEqual([])
  expect(examined('schema.messages.server', modern, ping({ params: { _meta } }))).not.toEqual([])
})

it('accepts progress of a task outside of the stream that began it', () => {
  const cell: Cell = { side: 'server', revision: '2025-11-25', transport: 'http' }
  const http = (exchange: number, method: string): HttpFacts => ({
    exchange,
    method,
    url: '/mcp',
    headers: {},
  })
  const call = (result: object): readonly Line[] => [
    ['client', { id: 1, method: 'tools/call', params: { _meta: { progressToken: 't' } } }, http(1, 'POST')],
    ['server', { id: 1, result }, http(1, 'POST')],
    [
      'server',
      { method: 'notifications/progress', params: { progressToken: 't', progress: 1 } },
      http(2, 'GET'),
    ],
  ]
  expect(examined('progress.server.own-stream', cell, call({ task: { taskId: 'a' } }))).toEqual([])
  expect(examined('progress.server.own-stream', cell, call({ content: [] }))).toHaveLength(1)
})

it('accepts progress that is repeated when a stream is resumed', () => {
  const cell: Cell = { side: 'server', revision: '2025-11-25', transport: 'http' }
  const http = (exchange: number, id?: string): HttpFacts => ({
    exchange,
    method: exchange === 1 ? 'POST' : 'GET',
    url: '/mcp',
    headers: {},
    ...(id !== undefined && { event: { id } }),
  })
  const progress = { method: 'notifications/progress', params: { progressToken: 't', progress: 1 } }
  const twice = (exchange: number, id: string): readonly Line[] => [
    ['client', { id: 1, method: 'tools/call', params: { _meta: { progressToken: 't' } } }, http(1)],
    ['server', progress, http(1, 'a')],
    ['server', progress, http(exchange, id)],
  ]
  expect(examined('progress.server.increasing', cell, twice(2, 'a'))).toEqual([])
  expect(examined('progress.server.increasing', cell, twice(1, 'b'))).toHaveLength(1)
})

it('accepts that a client gives up a request whose answer nests too deeply to be read', () => {
  const cell: Cell = { side: 'client', revision: '2025-11-25', transport: 'stdio' }
  const cancelled = (count: number, deep: unknown): readonly Line[] =>
    Array.from({ length: count }, (_, id): readonly Line[] => [
      ['client', { id, method: 'tools/call', params: { name: 'a' } }],
      ['server', { id, result: { content: [], deep } }],
      ['client', { method: 'notifications/cancelled', params: { requestId: id } }],
    ]).flat()
  let deep: unknown = []
  for (let level = 0; level < 1_000; level += 1) deep = [deep]
  expect(examined('cancel.client.valid-target', cell, cancelled(3, deep))).toEqual([])
  expect(examined('cancel.client.valid-target', cell, cancelled(3, []))).toHaveLength(1)
})
