import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { Registry } from '../../registry/registry.ts'
import { recordingTap } from '../../ports/recording.test-support.ts'
import { envelope } from '../raw-client.test-support.ts'
import { serve, tools } from './listening.test-support.ts'
import { clientFrame, closing, Opcode, RawWebSocket, type Upgrade } from './websocket-raw.test-support.ts'

const ROUTES = { routes: { ws: true } }

async function open(registry?: Registry, setup: Parameters<typeof serve>[1] = {}, upgrade: Upgrade = {}) {
  const served = await serve(registry, { ...ROUTES, ...setup })
  const client = await RawWebSocket.open(served.listener.port, upgrade)
  return { ...served, client }
}

const modern = (id: string | number, method: string, params: object = {}, meta = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params, _meta: envelope({}, meta) },
})

async function initialize(client: RawWebSocket, protocolVersion = '2025-11-25', capabilities = {}) {
  const params = { protocolVersion, capabilities, clientInfo: { name: 'raw', version: '1' } }
  client.sendMessage({ jsonrpc: '2.0', id: 'init', method: 'initialize', params })
  const answer = await client.seen(({ id }) => id === 'init')
  client.sendMessage({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return answer
}

afterEach(() => {
  vi.useRealTimers()
})

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

describe('a WebSocket', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'is a session of %s: a question of a handler, a change of a list',
    async (version) => {
      const { registry } = tools()
      const { client } = await open(registry)
      expect(await initialize(client, version, { elicitation: {} })).toMatchObject({
        result: { protocolVersion: version },
      })
      client.sendMessage({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask' } })
      if (version >= '2025-06-18') {
        const question = await client.seen(({ method }) => method === 'elicitation/create')
        const result = { action: 'accept', content: { city: 'Oslo' } }
        client.sendMessage({ jsonrpc: '2.0', id: question['id'], result })
        expect(await client.seen(({ id }) => id === 1)).toMatchObject({
          result: { content: [{ text: 'to Oslo' }] },
        })
      } else expect(await client.seen(({ id }) => id === 1)).toMatchObject({ result: { isError: true } })
      registry.addTool({ name: 'new', run: () => '' })
      await client.seen(({ method }) => method === 'notifications/tools/list_changed')
      client.drop()
    },
  )

  it('serves requests of 2026-07-28 side by side, and cancels one by a notification', async () => {
    const { registry, started } = tools()
    const { client } = await open(registry)
    client.sendMessage(modern('d', 'server/discover'))
    expect(await client.seen(({ id }) => id === 'd')).toMatchObject({
      result: { supportedVersions: expect.arrayContaining(['2026-07-28']) },
    })
    client.sendMessage(modern('l', 'subscriptions/listen', { notifications: { toolsListChanged: true } }))
    await client.seen(({ method }) => method === 'notifications/subscriptions/acknowledged')
    client.sendMessage(modern('s', 'tools/call', { name: 'silent' }))
    const signal = await started
    client.sendMessage({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 's' } })
    await aborted(signal)
    registry.addTool({ name: 'new', run: () => '' })
    expect(await client.seen(({ method }) => method === 'notifications/tools/list_changed')).toMatchObject({
      params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 'l' } },
    })
    expect(client.messages.some(({ id }) => id === 's')).toBe(false)
    client.drop()
  })

  it('keeps many calls of many clients apart, whatever their ids', async () => {
    const { listener } = await serve(undefined, ROUTES)
    const clients = await Promise.all(Array.from({ length: 20 }, () => RawWebSocket.open(listener.port)))
    const wrong: unknown[] = []
    await Promise.all(
      clients.map(async (client, which) => {
        for (let id = 0; id < 50; id += 1) {
          client.sendMessage(
            modern(id, 'tools/call', { name: 'echo', arguments: { text: `${which}/${id}` } }),
          )
        }
        await client.until(() => client.frames.length >= 50)
        for (const message of client.messages) {
          const text = JSON.stringify(message['result'])
          if (!text.includes(`"${which}/${String(message['id'])}"`)) wrong.push(message)
        }
        client.drop()
      }),
    )
    expect(wrong).toEqual([])
  })

  it('gives handlers the headers of the handshake, without the token', async () => {
    const registry = new Registry()
    registry.addTool({ name: 'headers', run: (_args, ctx) => JSON.stringify(ctx.headers) })
    const headers = { Authorization: 'Bearer secret', 'X-Own': 'yes' }
    const { client } = await open(registry, { token: () => 'secret' }, { headers })
    client.sendMessage(modern(1, 'tools/call', { name: 'headers' }))
    const text = JSON.stringify(await client.seen(({ id }) => id === 1))
    expect(text).toContain('x-own')
    expect(text).not.toContain('secret')
    client.drop()
  })

  it('takes arrays from 2025-03-26 alone', async () => {
    const { listener } = await serve(undefined, ROUTES)
    const pings = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
    for (const [version, answer] of [
      ['2025-03-26', expect.arrayContaining([{ jsonrpc: '2.0', id: 1, result: {} }])],
      ['2025-06-18', expect.objectContaining({ error: expect.objectContaining({ code: -32600 }) })],
    ] as const) {
      const client = await RawWebSocket.open(listener.port)
      await initialize(client, version)
      client.sendMessage(pings)
      await client.until(() => client.frames.length >= 2)
      expect(client.messages[1]).toEqual(answer)
      client.drop()
    }
  })

  it('answers what it cannot read with -32700, goes on, and closes when nothing else comes', async () => {
    const { client } = await open()
    const bad = { opcode: Opcode.text, payload: 'no json' }
    for (let count = 0; count < 9; count += 1) client.send(bad)
    client.sendMessage({ jsonrpc: '2.0', id: 'between', method: 'ping' })
    await client.seen(({ id }) => id === 'between')
    expect(client.messages[0]).toMatchObject({ error: { code: -32700 } })
    expect(client.messages[0]).not.toHaveProperty('id')
    client.send(...Array.from({ length: 10 }, () => bad))
    expect(await client.closeCode()).toBe(1008)
    expect(client.messages).toHaveLength(20)
    client.drop()
  })

  it('sends long messages in fragments between which pings are answered', async () => {
    const { client } = await open()
    const text = 'é'.repeat(1_000_000)
    client.sendMessage(modern(1, 'tools/call', { name: 'echo', arguments: { text } }))
    client.send({ opcode: Opcode.ping, payload: 'still there?' })
    expect(JSON.stringify(await client.seen(({ id }) => id === 1))).toContain(text)
    expect(client.frames.filter(({ opcode }) => opcode === Opcode.continuation).length).toBeGreaterThan(4)
    client.drop()
  })

  it('pings, and drops a peer that shows no sign of life', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    const limits = { ...DEFAULT_LIMITS, pingMs: 40 }
    const { client, listener } = await open(undefined, { limits })
    const pings = () => client.frames.filter(({ opcode }) => opcode === Opcode.ping).length
    vi.advanceTimersByTime(60)
    await client.until(() => pings() === 1)
    client.send({ opcode: Opcode.pong })
    // It comes in this process, in a turn or two.
    for (let turns = 0; turns < 10; turns += 1) await turn()
    vi.advanceTimersByTime(60)
    await client.until(() => pings() === 2)
    // No answer to the second one.
    vi.advanceTimersByTime(60)
    expect(await client.closeCode()).toBe('none')
    await client.ended
    await expect.poll(() => listener.clientCount()).toBe(0)
  })

  it('cuts off a reader that does not read, visibly, and serves the others', async () => {
    const { tap, frames } = recordingTap()
    const registry = tools().registry
    const aborted = Promise.withResolvers<undefined>()
    registry.addTool({
      name: 'flood',
      run: async (_args, ctx) => {
        ctx.signal.addEventListener('abort', () => {
          aborted.resolve(undefined)
        })
        while (!ctx.signal.aborted) {
          for (let line = 0; line < 10; line += 1) ctx.log.error('x'.repeat(100_000))
          await new Promise((resolve) => setImmediate(resolve))
        }
        return 'flooded'
      },
    })
    const limits = { ...DEFAULT_LIMITS, outgoingBufferBytes: 1_000_000 }
    const { client, listener } = await open(registry, { limits, tap })
    client.socket.pause()
    const level = { 'io.modelcontextprotocol/logLevel': 'error' }
    client.sendMessage(modern(1, 'tools/call', { name: 'flood' }, level))
    await aborted.promise
    expect(listener.cutReaderCount()).toBe(1)
    expect(frames.at(-1)).toMatchObject({
      kind: 'lifecycle',
      event: 'closed',
      note: expect.stringContaining('outgoingBufferBytes'),
    })
    client.drop()
    const other = await RawWebSocket.open(listener.port)
    other.sendMessage({ jsonrpc: '2.0', id: 1, method: 'ping' })
    await other.seen(({ id }) => id === 1)
    other.drop()
  })

  it('cuts off a reader that takes nothing for too long', async () => {
    const limits = { ...DEFAULT_LIMITS, outgoingStallMs: 60 }
    const { client, listener } = await open(undefined, { limits })
    client.socket.pause()
    const text = 'x'.repeat(16_000_000)
    client.sendMessage(modern(1, 'tools/call', { name: 'echo', arguments: { text } }))
    await expect.poll(() => listener.cutReaderCount()).toBe(1)
    await expect.poll(() => listener.clientCount()).toBe(0)
    client.drop()
  })

  it('ends with 1001 when the listener closes, after the calls in flight were answered', async () => {
    const { registry, gate, started } = tools()
    const { client, listener } = await open(registry)
    client.sendMessage(modern('l', 'subscriptions/listen', { notifications: { toolsListChanged: true } }))
    await client.seen(({ method }) => method === 'notifications/subscriptions/acknowledged')
    client.sendMessage(modern('c', 'tools/call', { name: 'silent' }))
    await started
    const closed = listener.close()
    expect(await client.seen(({ id }) => id === 'l')).toMatchObject({ result: { resultType: 'complete' } })
    gate.resolve()
    expect(await client.seen(({ id }) => id === 'c')).toMatchObject({
      result: { content: [{ text: 'opened' }] },
    })
    expect([await client.closeCode(), client.closeReason]).toEqual([1001, 'the server is shutting down'])
    client.socket.end(clientFrame({ opcode: Opcode.close, payload: closing(1001) }))
    await Promise.all([closed, client.ended])
  })

  it('ends with 1001 behind the answer of a session too', async () => {
    const { registry, gate, started } = tools()
    const { client, listener } = await open(registry)
    await initialize(client)
    client.sendMessage({ jsonrpc: '2.0', id: 'c', method: 'tools/call', params: { name: 'silent' } })
    await started
    const closed = listener.close()
    gate.resolve()
    expect(await client.seen(({ id }) => id === 'c')).toMatchObject({
      result: { content: [{ text: 'opened' }] },
    })
    expect(await client.closeCode()).toBe(1001)
    client.socket.end(clientFrame({ opcode: Opcode.close, payload: closing(1001) }))
    await closed
  })

  it('is cut when its call does not end in time, or its client does not answer the close', async () => {
    const { registry, started } = tools()
    const { client, listener } = await open(registry)
    client.sendMessage(modern('c', 'tools/call', { name: 'silent' }))
    const signal = await started
    const silent = await RawWebSocket.open(listener.port)
    await listener.close()
    await Promise.all([client.ended, silent.ended])
    expect(signal.aborted).toBe(true)
    expect(listener.clientCount()).toBe(0)
  })

  it('ends with 1008 when its token does not hold any more', async () => {
    const secret: { token?: string } = { token: 'one' }
    const bearer = { headers: { Authorization: 'Bearer one' } }
    const { client, listener } = await open(undefined, { token: () => secret.token }, bearer)
    listener.endUnadmitted()
    client.sendMessage({ jsonrpc: '2.0', id: 1, method: 'ping' })
    await client.seen(({ id }) => id === 1)
    secret.token = 'two'
    listener.endUnadmitted()
    expect([await client.closeCode(), client.closeReason]).toEqual([1008, 'the token is not valid any more'])
    client.drop()
  })

  it('ends with 1008 when its token expires, and refuses messages that its token does not cover', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    const authorization = {
      admit: () => ({ caller: 'c', expiresAt: Date.now() + 300 }),
      stillAdmits: () => true,
      refuseMessage: (_admitted: object, message: unknown) =>
        JSON.stringify(message).includes('tools/call')
          ? { status: 403 as const, reason: 'Forbidden: the token lacks the scope tools' }
          : undefined,
    }
    const limits = { ...DEFAULT_LIMITS, keepAliveMs: 40 }
    const { client } = await open(undefined, { authorization, limits })
    client.sendMessage(modern(1, 'tools/call', { name: 'echo' }))
    expect(await client.seen(({ id }) => id === 1)).toMatchObject({
      error: { message: expect.stringContaining('scope') },
    })
    vi.advanceTimersByTime(300)
    expect([await client.closeCode(), client.closeReason]).toEqual([1008, 'the token has expired'])
    client.drop()
  })

  it('shows the tap the handshake, every message as it was, and the end', async () => {
    const { tap, frames } = recordingTap()
    const { client, listener } = await open(undefined, { tap })
    client.send({ opcode: Opcode.text, fin: false, payload: '{"jsonrpc":"2.0", "id":1,' })
    client.send({ opcode: Opcode.continuation, payload: '"method":"ping"}' })
    await client.seen(({ id }) => id === 1)
    client.send({ opcode: Opcode.text, payload: 'noise' })
    await client.until(() => client.frames.length === 2)
    client.send({ opcode: Opcode.close, payload: closing(1000, 'bye') })
    await client.ended
    await expect.poll(() => listener.clientCount()).toBe(0)
    expect(
      frames.map((frame) => {
        const said = frame.kind === 'lifecycle' ? frame.note : Buffer.from(frame.bytes).toString()
        return `${frame.direction} ${frame.kind} ${'http' in frame ? (frame.http.status ?? '') : ''} ${said}`
      }),
    ).toEqual([
      expect.stringContaining('listening on ws://127.0.0.1:'),
      'received http  ',
      'sent http 101 ',
      'received lifecycle  a WebSocket was opened',
      'received message  {"jsonrpc":"2.0", "id":1,"method":"ping"}',
      'sent message  {"jsonrpc":"2.0","id":1,"result":{}}',
      'received invalid  noise',
      expect.stringContaining('-32700'),
      'received lifecycle  closed with 1000: bye',
    ])
  })
})
