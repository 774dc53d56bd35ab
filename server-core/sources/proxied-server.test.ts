import { afterEach, describe, expect, it } from 'vitest'
import { clientOf, Closing, inMemory, serverOf, upstreamBy, wayTo } from './proxy/proxy.test-support.ts'
import type { Responders } from '../client/responders.ts'
import type { Revision } from '../protocol/revisions.ts'
import { Registry } from '../registry/registry.ts'
import { createServer } from '../server/server.ts'
import type { ClientTransport } from '../ports/contract.ts'
import { composeRegistry } from './compose.ts'
import { openProxy } from './proxied-server.ts'

const closing = new Closing()
afterEach(() => closing.close())

const IDENTITY = { name: 'composed', version: '1' }

function upstream() {
  const registry = new Registry()
  const cancelled = Promise.withResolvers<string>()
  const waiting = Promise.withResolvers<void>()
  registry.addTool({
    name: 'tell',
    run: async ({ text }, ctx) => {
      ctx.progress(1, 2, 'half')
      ctx.log('warning', `saying ${String(text)}`, 'teller')
      await new Promise((resolve) => setImmediate(resolve))
      return String(text)
    },
  })
  registry.addTool({
    name: 'ask',
    run: async (_args, ctx) => {
      const schema = { type: 'object', properties: { name: { type: 'string' } } } as const
      const { name } = await ctx.elicit('Your name?', schema)
      const { text } = await ctx.sample(`Greet ${String(name)}`)
      return text
    },
  })
  registry.addTool({
    name: 'wait',
    run: async (_args, ctx) => {
      ctx.signal.addEventListener('abort', () => cancelled.resolve('cancelled'))
      waiting.resolve()
      await cancelled.promise
      return 'over'
    },
  })
  registry.addTool({
    name: 'who',
    run: (_args, ctx) => JSON.stringify(ctx.clientInfo),
  })
  registry.addTool({ name: 'secret', run: () => 'hidden' })
  registry.addResource({ uri: 'note://one', name: 'one', read: () => 'first' })
  return { registry, cancelled: cancelled.promise, waiting: waiting.promise }
}

const named = (name: string): Responders => ({
  elicitation: { form: () => Promise.resolve({ action: 'accept', content: { name } }) },
  sampling: {
    answer: ({ messages }) =>
      Promise.resolve({
        role: 'assistant',
        model: 'm',
        content: { type: 'text', text: `done: ${JSON.stringify(messages).includes(name)} ${name}` },
      }),
  },
})

async function composedOf(open: () => ClientTransport | Promise<ClientTransport>) {
  const proxy = openProxy(
    { server: 'everything', prefix: 'far', except: ['secret'] },
    { id: 'proxy', open: upstreamBy(open), identity: IDENTITY, retryMs: 5 },
  )
  closing.add(() => proxy.close())
  const own = new Registry()
  own.addTool({ name: 'near', run: () => 'here' })
  const composed = composeRegistry([
    { id: 'own', origin: { kind: 'script', label: 'near.ts' }, view: own },
    proxy.source,
  ])
  await proxy.settled
  const server = createServer({ registry: composed, info: IDENTITY })
  closing.add(() => server.close())
  return { proxy, composed, server }
}

it('chooses tools by tag, and passes their tags on', async () => {
  const registry = new Registry()
  registry.addTool({ name: 'sun', tags: ['weather'], run: () => '' })
  registry.addTool({ name: 'storm', tags: ['weather', 'danger'], run: () => '' })
  registry.addTool({ name: 'other', run: () => '' })
  const chosen = async (choice: { only?: string[]; except?: string[] }) => {
    const open = upstreamBy(inMemory(serverOf(registry, closing, ['2025-11-25'])))
    const proxy = openProxy({ server: 'everything', ...choice }, { id: 'far', identity: IDENTITY, open })
    closing.add(() => proxy.close())
    await proxy.settled
    return proxy.source.view.tools().map(({ name, tags }) => [name, tags])
  }
  const storm = ['storm', ['weather', 'danger']]
  expect(await chosen({ only: ['tag:weather'] })).toEqual([['sun', ['weather']], storm])
  expect(await chosen({ except: ['tag:dan*'] })).toEqual([
    ['sun', ['weather']],
    ['other', undefined],
  ])
  expect(await chosen({ only: ['tag:weather', 'other'], except: ['sun'] })).toEqual([
    storm,
    ['other', undefined],
  ])
})

describe.each<[string, Revision]>([
  ['2025-11-25', '2025-11-25'],
  ['2026-07-28', '2026-07-28'],
])('a server that speaks %s, proxied under a prefix', (_name, revision) => {
  it('serves clients of both eras at once, each as itself, with all that it asks and tells', async () => {
    const there = upstream()
    const { proxy, server, composed } = await composedOf(
      inMemory(serverOf(there.registry, closing, [revision])),
    )
    expect(await proxy.settled).toBeUndefined()
    expect(composed.tools().map(({ name }) => name)).toEqual([
      'near',
      'far.tell',
      'far.ask',
      'far.wait',
      'far.who',
    ])
    const way = await wayTo(server, 'http', closing)
    const clients = await Promise.all(
      (['2025-11-25', '2026-07-28'] as const).map(async (protocol) => {
        const logs: unknown[] = []
        const client = await clientOf(way, closing, {
          protocol,
          identity: { name: `front ${protocol}`, version: '1' },
          responders: named(protocol),
          listeners: { log: ({ data, logger }) => logs.push([data, logger]) },
        })
        return { client, logs, protocol }
      }),
    )
    await Promise.all(
      clients.map(async ({ client, logs, protocol }) => {
        await client.setLogLevel('info')
        const progress: unknown[] = []
        const told = await client.request(
          'tools/call',
          { name: 'far.tell', arguments: { text: protocol } },
          { onProgress: ({ message }) => progress.push(message), logLevel: 'info' },
        )
        expect(told.result).toMatchObject({ content: [{ type: 'text', text: protocol }] })
        expect(progress).toEqual(['half'])
        expect(logs).toEqual([[`saying ${protocol}`, 'everything/teller']])
        const asked = await client.request('tools/call', { name: 'far.ask', arguments: {} })
        expect(asked.result).toMatchObject({ content: [{ text: `done: true ${protocol}` }] })
        const who = await client.request('tools/call', { name: 'far.who', arguments: {} })
        expect(JSON.stringify(who.result)).toContain(`front ${protocol}`)
        const read = await client.request('resources/read', { uri: 'note://far/one' })
        expect(read.result).toMatchObject({ contents: [{ uri: 'note://far/one', text: 'first' }] })
      }),
    )
    const gone = new AbortController()
    const waited = clients[0]?.client.request(
      'tools/call',
      { name: 'far.wait', arguments: {} },
      { signal: gone.signal },
    )
    await there.waiting
    gone.abort(new Error('no longer'))
    await expect(waited).rejects.toThrow('cancelled')
    expect(await there.cancelled).toBe('cancelled')
  })

  it('tells updates of its resources to who subscribed, and changes of its lists to all', async () => {
    const there = upstream()
    const { proxy, server } = await composedOf(inMemory(serverOf(there.registry, closing, [revision])))
    await proxy.settled
    const updated = Promise.withResolvers<string>()
    const changed = Promise.withResolvers<string>()
    const client = await clientOf(inMemory(server), closing, {
      listeners: { resourceUpdated: (uri) => updated.resolve(uri) },
    })
    client.onListChanged((list) => changed.resolve(list))
    await client.subscribe('note://far/one')
    there.registry.resourceUpdated('note://one')
    expect(await updated.promise).toBe('note://far/one')
    there.registry.addTool({ name: 'new', run: () => 'new' })
    expect(await changed.promise).toBe('tools')
    const { items } = await client.listTools()
    expect(items.map(({ name }) => name)).toContain('far.new')
  })
})

describe('a server that goes away', () => {
  it('leaves its entries listed as failing with the cause, harms no other and comes back', async () => {
    const there = upstream()
    const server = serverOf(there.registry, closing)
    let isThere = true
    const transports: ClientTransport[] = []
    const { proxy, composed } = await composedOf(() => {
      if (!isThere) throw new Error('nobody listens at that port')
      const transport = inMemory(server)()
      transports.push(transport)
      return transport
    })
    await proxy.settled
    const before = composed.tools()
    const states = () => Object.fromEntries(composed.entries().map(({ name, state }) => [name, state]))
    const until = (isSo: () => boolean) =>
      new Promise<void>((resolve) => {
        const stop = composed.onEntries(() => {
          if (!isSo()) return
          stop()
          resolve()
        })
      })
    const front = createServer({ registry: composed, info: IDENTITY })
    closing.add(() => front.close())
    const client = await clientOf(inMemory(front), closing)
    const down = until(() => states()['far.tell'] === 'failing')
    isThere = false
    for (const transport of transports) await transport.close()
    await down
    expect(composed.tools()).toBe(before)
    expect(composed.entries().find(({ name }) => name === 'far.tell')?.fault).toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/"everything" is not there: .*tried again/) as string,
    })
    await expect(
      client.request('tools/call', { name: 'far.tell', arguments: { text: 'x' } }),
    ).rejects.toThrow(/"everything".*not there just now/)
    expect((await client.request('tools/call', { name: 'near', arguments: {} })).result).toMatchObject({
      content: [{ text: 'here' }],
    })
    const back = until(() => states()['far.tell'] === 'served')
    isThere = true
    await back
    expect(
      (await client.request('tools/call', { name: 'far.tell', arguments: { text: 'x' } })).result,
    ).toMatchObject({
      content: [{ text: 'x' }],
    })
  })
})
