import { afterEach, describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { Registry } from '../../registry/registry.ts'
import type { ClientTransport } from '../../ports/contract.ts'
import { createProxy, type ProxyOptions, type UpstreamServer } from './proxy.ts'
import { clientOf, Closing, inMemory, serverOf, upstreamBy, wayTo } from './proxy.test-support.ts'
import { fitsPattern } from './name-pattern.ts'
import type { UpstreamNotice } from './upstream.ts'

const closing = new Closing()
afterEach(() => closing.close())

const INFO = { name: 'bridge', version: '1' }

function bridge(servers: readonly UpstreamServer[], options: Partial<ProxyOptions> = {}) {
  const notices: UpstreamNotice[] = []
  const listeners = new Set<() => void>()
  const proxy = createProxy({
    servers,
    info: INFO,
    retryMs: 1,
    ...options,
    onNotice: (notice) => {
      notices.push(notice)
      for (const listener of listeners) listener()
    },
  })
  closing.add(() => proxy.close())
  const noticed = (isIt: (notice: UpstreamNotice) => boolean) =>
    new Promise<UpstreamNotice>((resolve) => {
      const look = () => {
        const found = notices.find(isIt)
        if (found !== undefined) resolve(found)
      }
      listeners.add(look)
      look()
    })
  return { proxy, notices, noticed }
}

function named(...names: readonly string[]): Registry {
  const registry = new Registry()
  for (const name of names) registry.addTool({ name, run: () => `${name} ran` })
  return registry
}

async function toolNames(client: Awaited<ReturnType<typeof clientOf>>): Promise<readonly unknown[]> {
  return (await client.listTools()).items.map(({ name }) => name)
}

describe('several servers as one', () => {
  it('shows tools and prompts under aliases, chosen and renamed, and finds their owners', async () => {
    const files = named('read_one', 'read_all', 'write_one')
    files.addPrompt({
      name: 'ask',
      arguments: [{ name: 'topic' }],
      complete: { topic: ['files'] },
      get: () => 'about files',
    })
    files.addResource({ uri: 'test://same', name: 'same', read: () => 'of files' })
    const web = named('fetch')
    web.addResource({ uri: 'test://same', name: 'same', read: () => 'of web' })
    web.addResource({ uri: 'test://web', name: 'web', read: () => 'web' })
    const { proxy, notices } = bridge([
      {
        alias: 'files',
        open: upstreamBy(inMemory(serverOf(files, closing))),
        tools: { only: ['read_*', 'write_one'], except: ['*_all'], rename: { write_one: 'put' } },
      },
      { alias: 'web', open: upstreamBy(inMemory(serverOf(web, closing))) },
    ])
    const client = await clientOf(inMemory(proxy), closing)
    expect(client.serverInfo).toEqual(INFO)
    expect(await toolNames(client)).toEqual(['files__read_one', 'files__put', 'web__fetch'])
    const { result } = await client.request('tools/call', { name: 'files__put', arguments: {} })
    expect(result).toMatchObject({ content: [{ text: 'write_one ran' }] })
    await expect(client.request('tools/call', { name: 'files__read_all', arguments: {} })).rejects.toThrow(
      'Unknown tool: files__read_all',
    )
    expect((await client.listPrompts()).items).toMatchObject([{ name: 'files__ask' }])
    const completed = await client.request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'files__ask' },
      argument: { name: 'topic', value: '' },
    })
    expect(completed.result).toMatchObject({ completion: { values: ['files'] } })
    expect((await client.listResources()).items.map(({ uri }) => uri)).toEqual(['test://same', 'test://web'])
    expect((await client.request('resources/read', { uri: 'test://same' })).result).toMatchObject({
      contents: [{ text: 'of files' }],
    })
    expect(notices).toContainEqual({ type: 'hidden', alias: 'web', name: 'test://same', owner: 'files' })
    await expect(client.request('resources/read', { uri: 'test://none' })).rejects.toMatchObject({
      code: -32602,
    })
  })

  it('uses the prefix and the separator of a server in place of its alias', async () => {
    const { proxy } = bridge([
      {
        alias: 'a',
        prefix: 'first',
        separator: '.',
        open: upstreamBy(inMemory(serverOf(named('x'), closing))),
      },
      { alias: 'b', separator: '_', open: upstreamBy(inMemory(serverOf(named('x'), closing))) },
    ])
    const client = await clientOf(inMemory(proxy), closing)
    expect(await toolNames(client)).toEqual(['first.x', 'b_x'])
    const { result } = await client.request('tools/call', { name: 'first.x', arguments: {} })
    expect(result).toMatchObject({ content: [{ text: 'x ran' }] })
  })

  it('goes on without a server that cannot start or never answers, and pages as configured', async () => {
    const silent: ClientTransport = {
      kind: 'memory',
      start: () => Promise.resolve(),
      send: () => Promise.resolve(),
      sendRaw: () => Promise.resolve({}),
      close: () => Promise.resolve(),
      evidence: () => ({}),
    }
    const { proxy, noticed } = bridge(
      [
        { alias: 'good', open: upstreamBy(inMemory(serverOf(named('a', 'b', 'c'), closing))) },
        { alias: 'bad', open: () => Promise.reject(new Error('no such program')) },
        { alias: 'silent', open: upstreamBy(() => silent) },
      ],
      { patienceMs: 50, limits: { pageItems: 2 } },
    )
    const client = await clientOf(inMemory(proxy), closing)
    expect(await noticed(({ type }) => type === 'down')).toMatchObject({
      alias: 'bad',
      reason: 'no such program',
    })
    await noticed(({ type, alias }) => type === 'up' && alias === 'good')
    const first = await client.request('tools/list')
    expect(first.result['tools']).toHaveLength(2)
    expect(first.result['nextCursor']).toBeDefined()
    expect(await toolNames(client)).toEqual(['good__a', 'good__b', 'good__c'])
  })

  it('loses the entries of a server that is killed, has them again when it is back, and tells each once', async () => {
    const killed = Promise.withResolvers<ClientTransport>()
    const back = Promise.withResolvers<void>()
    let tries = 0
    const server = serverOf(named('frail'), closing)
    const open = upstreamBy(async () => {
      tries += 1
      if (tries > 1) await back.promise
      const transport = inMemory(server)()
      killed.resolve(transport)
      return transport
    })
    const { proxy, noticed } = bridge([
      { alias: 'good', open: upstreamBy(inMemory(serverOf(named('firm'), closing))) },
      { alias: 'frail', open },
    ])
    const client = await clientOf(inMemory(proxy), closing, { protocol: '2025-11-25' })
    expect(await toolNames(client)).toEqual(['good__firm', 'frail__frail'])
    const logs: unknown[] = []
    client.on('log', ({ data }) => logs.push(data))
    let changes = 0
    let changed = Promise.withResolvers<void>()
    client.on('notification', ({ method }) => {
      if (method !== 'notifications/tools/list_changed') return
      changes += 1
      changed.resolve()
    })

    await (await killed.promise).close()
    await noticed(({ type, alias }) => type === 'down' && alias === 'frail')
    await changed.promise
    expect(await toolNames(client)).toEqual(['good__firm'])
    const { result } = await client.request('tools/call', { name: 'good__firm', arguments: {} })
    expect(result).toMatchObject({ content: [{ text: 'firm ran' }] })
    await expect(client.request('tools/call', { name: 'frail__frail', arguments: {} })).rejects.toThrow(
      'Unknown',
    )

    changed = Promise.withResolvers()
    back.resolve()
    await noticed((notice) => notice.type === 'up' && notice.after > 0)
    await changed.promise
    expect(await toolNames(client)).toEqual(['good__firm', 'frail__frail'])
    expect(changes).toBe(2)
    expect(logs).toEqual([
      expect.stringContaining('"frail" is not there'),
      expect.stringContaining('"frail" is back after 1 tries'),
    ])
  })

  it('tells a change of one server once', async () => {
    const registry = named('one')
    const { proxy } = bridge([
      { alias: 'a', open: upstreamBy(inMemory(serverOf(registry, closing))) },
      { alias: 'b', open: upstreamBy(inMemory(serverOf(named('other'), closing))) },
    ])
    const client = await clientOf(inMemory(proxy), closing, { protocol: '2025-11-25' })
    let told = 0
    const changed = Promise.withResolvers<void>()
    client.on('notification', ({ method }) => {
      if (!method.endsWith('list_changed')) return
      told += 1
      changed.resolve()
    })
    registry.addTool({ name: 'two', run: () => 'two' })
    await changed.promise
    expect(await toolNames(client)).toEqual(['a__one', 'a__two', 'b__other'])
    expect(told).toBe(1)
  })

  it('refuses aliases that are missing, the same or unfit', () => {
    const open = upstreamBy(inMemory(serverOf(named('x'), closing)))
    expect(() => createProxy({ servers: [], info: INFO })).toThrow('there is none')
    expect(() => createProxy({ servers: [{ open }, { open }], info: INFO })).toThrow('needs an alias')
    const same = [
      { alias: 'a', open },
      { alias: 'a', open },
    ]
    expect(() => createProxy({ servers: same, info: INFO })).toThrow('two servers have the alias "a"')
    expect(() => createProxy({ servers: [{ alias: 'a__b', open }], info: INFO })).toThrow(
      'cannot be an alias',
    )
  })
})

describe('one server', () => {
  it('says to a client why it is not there, and is tried again for the next', async () => {
    let tries = 0
    const server = serverOf(named('late'), closing)
    const { proxy } = bridge([
      {
        open: (parts) => {
          tries += 1
          if (tries === 1) return Promise.reject(new Error('nobody listens'))
          return upstreamBy(inMemory(server))(parts)
        },
      },
    ])
    const open = await wayTo(proxy, 'http', closing)
    await expect(clientOf(open, closing, { protocol: '2025-11-25' })).rejects.toThrow('nobody listens')
    expect(await toolNames(await clientOf(open, closing))).toEqual(['late'])
  })
})

describe('a pattern', () => {
  it('matches what a regular expression would, whatever its characters', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '_'), maxLength: 12 })
    fc.assert(
      fc.property(text, text, (pattern, name) => {
        const source = pattern
          .split('*')
          .map((piece) => piece.replaceAll('.', String.raw`\.`))
          .join('.*')
        expect(fitsPattern(pattern, name)).toBe(new RegExp(`^${source}$`, 's').test(name))
      }),
    )
  })
})
