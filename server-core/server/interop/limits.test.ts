import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { DEFAULT_LIMITS, type Limits } from '../../protocol/limits.ts'
import { recordingTap } from '../../ports/recording.test-support.ts'
import { exchange, openSession } from './http-raw.test-support.ts'
import { serve } from './listening.test-support.ts'
import { initialize, LEGACY, MODERN, saidBy, start, type Said } from './peers.test-support.ts'

/** That a message was refused for a limit: named with its value, in the error's data and in its text. */
function expectRefusal({ message }: Said, limit: keyof Limits, value: number): void {
  const shown = new RegExp(`${value}|${value.toLocaleString('en')}`)
  expect(message).toMatchObject({
    jsonrpc: '2.0',
    error: { data: { limit, value }, message: expect.stringMatching(shown) as unknown },
  })
  expect(message).toMatchObject({ error: { message: expect.stringContaining(`limit ${limit}`) as unknown } })
}

const countOf = (text: string, pattern: RegExp) =>
  text.replaceAll(/"[^"]*"/g, '""').match(pattern)?.length ?? 0
const nested = (depth: number): unknown => (depth === 0 ? 0 : [nested(depth - 1)])

describe.each([...LEGACY, ...MODERN])('over %s', (name, open) => {
  const isHttp = name.includes('HTTP')

  it('takes a message of messageBytes, and none of one byte more', async () => {
    const limits = { messageBytes: 2_000 }
    const peer = await start(open, limits)
    const message = JSON.stringify(peer.request('tools/list'))
    expect((await peer.send(message.padEnd(2_000))).message).toMatchObject({ id: 1, result: {} })
    const said = await peer.send(message.padEnd(2_001))
    // A WebSocket says it by its code, and its message cannot be skipped.
    if (name.startsWith('WebSocket')) expect(said).toEqual({ closed: 1009 })
    else expectRefusal(said, 'messageBytes', 2_000)
    if (isHttp) expect(said.status).toBe(413)
  })

  it('takes a message as deep as depth, and none deeper', async () => {
    const peer = await start(open, { depth: 20 })
    const text = (depth: number) => JSON.stringify(peer.request('tools/list', { x: nested(depth - 2) }))
    expect((await peer.send(text(20))).message).toMatchObject({ id: 1, result: {} })
    const said = await peer.send(text(21))
    expectRefusal(said, 'depth', 20)
    if (isHttp) expect(said.status).toBe(400)
  })

  it('takes a message of so many members, and none of one more', async () => {
    const peer = await start(open, { members: 100 })
    const bare = countOf(JSON.stringify(peer.request('tools/list', { x: [0] })), /[[{,]/g)
    const text = (members: number) =>
      JSON.stringify(peer.request('tools/list', { x: new Array<number>(members - bare + 1).fill(0) }))
    expect((await peer.send(text(100))).message).toMatchObject({ id: 1, result: {} })
    expectRefusal(await peer.send(text(101)), 'members', 100)
  })

  it('takes a message of so many keys, and none of one more', async () => {
    const peer = await start(open, { keys: 100 })
    const bare = countOf(JSON.stringify(peer.request('tools/list', { x: {} })), /:/g)
    const text = (keys: number) => {
      const x = Object.fromEntries(Array.from({ length: keys - bare }, (_, key) => [`k${key}`, 0]))
      return JSON.stringify(peer.request('tools/list', { x }))
    }
    expect((await peer.send(text(100))).message).toMatchObject({ id: 1, result: {} })
    expectRefusal(await peer.send(text(101)), 'keys', 100)
  })

  it('takes an id of idLength characters, and repeats none that is longer', async () => {
    const peer = await start(open, { idLength: 16 })
    const text = (length: number) => JSON.stringify(peer.request('tools/list', {}, 'a'.repeat(length)))
    expect((await peer.send(text(16))).message).toMatchObject({ id: 'a'.repeat(16), result: {} })
    const said = await peer.send(text(17))
    expectRefusal(said, 'idLength', 16)
    expect(said.message?.['id'] ?? null).toBeNull()
    const invalid = await peer.send(JSON.stringify({ jsonrpc: '1.0', id: 'a'.repeat(17), method: 'ping' }))
    expectRefusal(invalid, 'idLength', 16)
    expect(invalid.message?.['id'] ?? null).toBeNull()
  })

  it('answers so many requests per second, and names the time after which it takes more', async () => {
    const peer = await start(open, { requestsPerSecond: 3 })
    let said: Said = {}
    for (let sent = 0; sent < 100 && said.message?.['error'] === undefined; sent += 1) {
      said = await peer.send(JSON.stringify(peer.request('tools/list', {}, sent)))
    }
    expectRefusal(said, 'requestsPerSecond', 3)
    expect(said.message).toMatchObject({ error: { data: { retryAfterMs: expect.any(Number) as unknown } } })
    if (isHttp) expect([said.status, said.retryAfter]).toEqual([429, '1'])
  })
})

describe.each([...LEGACY, ...MODERN.slice(1)])('over %s', (_name, open) => {
  it('has so many requests in flight, and refuses one more', async () => {
    const peer = await start(open, { inFlight: 2 })
    const gated = (id: number) => JSON.stringify(peer.request('tools/call', { name: 'gated' }, id))
    peer.fire(gated(10))
    await expect.poll(peer.running, { interval: 5 }).toBe(1)
    const other = JSON.stringify(peer.request('tools/list', {}, 1))
    expect((await peer.send(other)).message).toMatchObject({ id: 1, result: {} })
    peer.fire(gated(11))
    await expect.poll(peer.running, { interval: 5 }).toBe(2)
    const said = await peer.send(other)
    expectRefusal(said, 'inFlight', 2)
    expect(said.message).toMatchObject({ id: 1 })
  })
})

describe.each(LEGACY)('over %s', (_name, open) => {
  it('takes an array of so many messages, and none of one more', async () => {
    const peer = await start(open, { batch: 1 }, '2025-03-26')
    const array = (length: number) =>
      JSON.stringify(Array.from({ length }, (_, id) => peer.request('ping', undefined, id)))
    // On a stream the answer may stand by itself.
    expect([(await peer.send(array(1))).message].flat()).toMatchObject([{ id: 0, result: {} }])
    expectRefusal(await peer.send(array(2)), 'batch', 1)
  })

  it('counts the requests of an array one by one, and takes none of more than come per second', async () => {
    const peer = await start(open, { requestsPerSecond: 4 }, '2025-03-26')
    const notice = { jsonrpc: '2.0', method: 'notifications/nothing' }
    const array = (length: number) =>
      JSON.stringify([notice, ...Array.from({ length }, (_, id) => peer.request('ping', undefined, id))])
    const never = await peer.send(array(5))
    expectRefusal(never, 'requestsPerSecond', 4)
    expect(never.message).toMatchObject({ error: { message: expect.stringContaining('array') as unknown } })
    expect(never.message).not.toHaveProperty('error.data.retryAfterMs')
    let said: Said = {}
    for (let sent = 0; sent < 100 && said.message?.['error'] === undefined; sent += 1) {
      said = await peer.send(array(3))
    }
    expectRefusal(said, 'requestsPerSecond', 4)
    expect(said.message).toMatchObject({ error: { data: { retryAfterMs: expect.any(Number) as unknown } } })
  })

  it('keeps so many subscriptions of resources, and refuses one more', async () => {
    const peer = await start(open, { listens: 1 })
    const subscribe = (uri: string) => JSON.stringify(peer.request('resources/subscribe', { uri }))
    expect((await peer.send(subscribe('test://one'))).message).toMatchObject({ result: {} })
    expect((await peer.send(subscribe('test://one'))).message).toMatchObject({ result: {} })
    expectRefusal(await peer.send(subscribe('test://two')), 'listens', 1)
  })
})

describe.each(MODERN)('over %s', (_name, open) => {
  it('keeps so many subscriptions open, and refuses one more', async () => {
    const peer = await start(open, { listens: 1 })
    const listen = (id: number) =>
      JSON.stringify(peer.request('subscriptions/listen', { notifications: { toolsListChanged: true } }, id))
    expect((await peer.send(listen(1))).message).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
    })
    expectRefusal(await peer.send(listen(2)), 'listens', 1)
  })
})

describe('a listener', () => {
  it('keeps so many sockets, and drops, counts and reports others', async () => {
    const { tap, frames } = recordingTap()
    const { listener } = await serve(undefined, { limits: { ...DEFAULT_LIMITS, sockets: 2 }, tap })
    const connected = async () => {
      const socket = connect(listener.port, '127.0.0.1')
      await once(socket, 'connect')
      return socket
    }
    const kept = [await connected(), await connected()]
    expect(listener.droppedSocketCount()).toBe(0)
    for (let dropped = 1; dropped <= 4; dropped += 1) {
      const socket = connect(listener.port, '127.0.0.1').on('error', () => undefined)
      await once(socket, 'close')
      expect(listener.droppedSocketCount()).toBe(dropped)
    }
    const notes = frames.flatMap((frame) => (frame.kind === 'lifecycle' ? [frame.note] : []))
    expect(notes.slice(1)).toEqual(
      [1, 2, 4].map((nth) => `dropped connection ${nth}: there are 2 already (limit sockets)`),
    )
    for (const socket of kept) socket.destroy()
  })

  it('keeps so many sessions of all kinds together, and sends others away for a while', async () => {
    const limits = { ...DEFAULT_LIMITS, sessions: 2 }
    const { listener } = await serve(undefined, { limits, routes: { mcp: true, sse: true, ws: true } })
    const { mcp = '', sse = '', ws = '' } = listener.urls
    await openSession(mcp)
    await openSession(mcp)
    const open = { method: 'GET', headers: { accept: 'text/event-stream' } }
    for (const response of [
      await exchange(mcp, { body: initialize('2025-11-25') }),
      await exchange(sse, open),
      await exchange(sse.replace('/sse', '/messages'), { body: initialize('2025-11-25') }),
    ]) {
      const said = await saidBy(response, '{}')
      expect([said.status, said.retryAfter]).toEqual([503, '1'])
      expectRefusal(said, 'sessions', 2)
    }
    const socket = new WebSocket(ws, 'mcp')
    const [, refused] = (await once(socket, 'unexpected-response')) as [
      unknown,
      { readonly statusCode: number },
    ]
    expect(refused.statusCode).toBe(503)
  })
})
