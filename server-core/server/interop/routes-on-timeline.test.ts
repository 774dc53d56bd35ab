import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../capture/exchange.ts'
import { TrafficLog } from '../../capture/traffic-log.ts'
import { openSession } from './http-raw.test-support.ts'
import { serve, tools } from './listening.test-support.ts'
import { RawSse } from './sse-raw.test-support.ts'
import { RawWebSocket } from './websocket-raw.test-support.ts'

const ROUTES = { mcp: true, sse: true, ws: true }

/** Listens with a timeline that sees it. */
async function watched() {
  const log = new TrafficLog()
  const tap = log.tap({ serverId: 's', serverName: 'ours', side: 'server' })
  const { listener } = await serve(tools().registry, { routes: ROUTES, tap })
  return { log, listener }
}

const calls = (rows: readonly Exchange[]) => rows.filter(({ method }) => method === 'tools/call')

describe('the timeline of a listener', () => {
  it('tells the calls of two WebSockets apart that use the same ids', async () => {
    const { log, listener } = await watched()
    const [first, second] = await Promise.all([
      RawWebSocket.open(listener.port),
      RawWebSocket.open(listener.port),
    ])
    const clients = [first, second]
    const params = { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo: {} }
    for (const client of clients) {
      client.sendMessage({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
      await client.seen(({ id }) => id === 1)
      client.sendMessage({ jsonrpc: '2.0', method: 'notifications/initialized' })
    }
    for (const client of clients) {
      client.sendMessage({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'ask' } })
      await client.seen(({ method }) => method === 'elicitation/create')
    }
    const question = await second.seen(({ method }) => method === 'elicitation/create')
    second.sendMessage({ jsonrpc: '2.0', id: question['id'], result: { action: 'decline' } })
    await second.seen(({ id }) => id === 2)
    first.drop()
    await expect.poll(() => listener.clientCount()).toBe(1)
    const [lost, answered] = calls(log.rows())
    expect(lost).toMatchObject({ outcome: expect.stringMatching(/lost|cancelled/) })
    expect(answered).toMatchObject({ outcome: expect.stringMatching(/ok|error/) })
    const questions = log.rows().filter(({ method }) => method === 'elicitation/create')
    expect(questions.map(({ parentId }) => parentId)).toEqual([lost?.id, answered?.id])
    second.drop()
  })

  it('leads answers on the stream of HTTP+SSE to the calls that were posted, and questions into them', async () => {
    const { log, listener } = await watched()
    const url = listener.urls.sse ?? ''
    const clients = await Promise.all([RawSse.open(url), RawSse.open(url)])
    for (const client of clients) await client.initialize('2025-11-25', { elicitation: {} })
    for (const client of clients) {
      await client.post({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'ask' } })
      const question = await client.stream.seen(({ method }) => method === 'elicitation/create')
      const result = { action: 'accept', content: { city: 'Oslo' } }
      await client.post({ jsonrpc: '2.0', id: question['id'], result })
      await client.stream.seen(({ id }) => id === 2)
    }
    const rows = log.rows()
    expect(calls(rows).map(({ outcome }) => outcome)).toEqual(['ok', 'ok'])
    const questions = rows.filter(({ method }) => method === 'elicitation/create')
    expect(questions.map(({ parentId, outcome }) => [parentId, outcome])).toEqual(
      calls(rows).map(({ id }) => [id, 'ok']),
    )
    expect(rows.filter(({ kind }) => kind === 'invalid')).toEqual([])
    for (const client of clients) client.drop()
  })

  it('shows the head of a GET whose stream lasts, with its headers', async () => {
    const { log, listener } = await watched()
    const session = await openSession(listener.url)
    const stream = await session.listen()
    const [row] = log.rows().filter(({ method }) => method === 'GET')
    const { frames } = log.frames(row?.frames ?? [])
    expect(frames[0]?.http?.headers).toContainEqual({ name: 'accept', value: 'text/event-stream' })
    stream.drop()
  })
})
