import { afterEach, describe, expect, it } from 'vitest'
import { PeerError } from '../../client/errors.ts'
import type { Responders } from '../../client/responders.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Revision } from '../../protocol/revisions.ts'
import { Registry } from '../../registry/registry.ts'
import { createProxy } from './proxy.ts'
import { clientOf, Closing, inMemory, serverOf, upstreamBy, wayTo, type Way } from './proxy.test-support.ts'

const closing = new Closing()
afterEach(() => closing.close())

const INFO = { name: 'proxy', version: '1' }

/** Something of everything that a proxy has to pass on. */
function everything() {
  const registry = new Registry()
  const cancelled = Promise.withResolvers<unknown>()
  const waiting = Promise.withResolvers<void>()
  registry.addTool({
    name: 'tell',
    input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    run: async ({ text }, ctx) => {
      ctx.progress(1, 2, 'half')
      ctx.log('warning', `saying ${String(text)}`, 'teller')
      await new Promise((resolve) => setImmediate(resolve))
      return {
        content: [{ type: 'text', text: String(text) }],
        structuredContent: { text },
        _meta: { mark: 1 },
      }
    },
  })
  registry.addTool({
    name: 'ask',
    run: async (_args, ctx) => {
      const schema = { type: 'object', properties: { name: { type: 'string' } } } as const
      const { name } = await ctx.elicit('Your name?', schema)
      const { text } = await ctx.sample(`Greet ${String(name)}`)
      const roots = await ctx.roots()
      await ctx.elicitUrl('Look', 'https://example.com/look')
      return `${text} at ${roots.map(({ uri }) => uri).join()}`
    },
  })
  registry.addTool({
    name: 'fail',
    run: () => {
      throw new ProtocolError(4711, 'no such moon', { moon: 'II' })
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
  registry.addResource({ uri: 'note://one', name: 'one', read: () => 'first' })
  registry.addResourceTemplate({
    uriTemplate: 'note://{id}/text',
    name: 'any',
    read: ({ id }) => `note ${id}`,
  })
  registry.addPrompt({
    name: 'write',
    arguments: [{ name: 'about', required: true }],
    complete: { about: ['cats', 'dogs'] },
    get: ({ about }) => `Write about ${about}.`,
  })
  return { registry, cancelled: cancelled.promise, waiting: waiting.promise }
}

const responders: Responders = {
  elicitation: {
    form: () => Promise.resolve({ action: 'accept', content: { name: 'Ada' } }),
    url: () => Promise.resolve({ action: 'accept' }),
  },
  sampling: {
    answer: ({ messages }) =>
      Promise.resolve({
        role: 'assistant',
        model: 'm',
        content: {
          type: 'text',
          text: JSON.stringify(messages).includes('Greet Ada') ? 'Hello Ada' : 'lost',
        },
      }),
  },
  roots: () => Promise.resolve({ roots: [{ uri: 'file:///home' }] }),
}

const OLD: Revision = '2025-11-25'
const NEW: Revision = '2026-07-28'
const WAYS: readonly Way[] = ['memory', 'http', 'websocket', 'sse']
const TABLE = [OLD, NEW].flatMap((upstream) =>
  [OLD, NEW].flatMap((front) =>
    WAYS.flatMap((way) => (way === 'sse' && front === NEW ? [] : [{ behind: upstream, front, way }])),
  ),
)

describe.each(TABLE)('a server of $behind, for a client of $front over $way', ({ behind, front, way }) => {
  const started = async () => {
    const { registry, ...rest } = everything()
    const server = serverOf(registry, closing, [behind])
    const open = await wayTo(server, way === 'sse' ? 'http' : way, closing)
    const proxy = createProxy({ servers: [{ open: upstreamBy(open) }], info: INFO })
    closing.add(() => proxy.close())
    const client = await clientOf(await wayTo(proxy, way, closing), closing, {
      responders,
      protocol: front,
    })
    return { client, registry, ...rest }
  }

  it('passes on what goes from one side to the other', async () => {
    const { client, registry, cancelled, waiting } = await started()
    expect(client.revision).toBe(front)
    expect(client.serverInfo).toEqual({ name: 'behind', version: '1' })
    const { items } = await client.listTools()
    expect(items.map(({ name }) => name)).toEqual(['tell', 'ask', 'fail', 'wait'])

    const logs: unknown[] = []
    client.on('log', (message) => logs.push(message))
    await client.setLogLevel('debug')
    const progress: unknown[] = []
    const told = await client.request(
      'tools/call',
      { name: 'tell', arguments: { text: 'hi' } },
      { onProgress: (each) => progress.push(each) },
    )
    expect(told.result).toMatchObject({
      content: [{ type: 'text', text: 'hi' }],
      structuredContent: { text: 'hi' },
      _meta: { mark: 1 },
    })
    expect(progress).toEqual([{ progress: 1, total: 2, message: 'half' }])
    expect(logs).toEqual([{ level: 'warning', logger: 'teller', data: 'saying hi' }])

    const asked = await client.request('tools/call', { name: 'ask', arguments: {} })
    expect(asked.result).toMatchObject({ content: [{ type: 'text', text: 'Hello Ada at file:///home' }] })

    const failed = await client
      .request('tools/call', { name: 'fail', arguments: {} })
      .catch((e: unknown) => e)
    expect(failed).toBeInstanceOf(PeerError)
    expect(failed).toMatchObject({ code: 4711, message: 'no such moon', data: { moon: 'II' } })
    const invalidAlias = await client.request('tools/call', { name: 'tell', arguments: { text: 1 } })
    expect(invalidAlias.result).toMatchObject({ isError: true })

    expect((await client.request('resources/read', { uri: 'note://7/text' })).result).toMatchObject({
      contents: [{ uri: 'note://7/text', text: 'note 7' }],
    })
    expect(
      (await client.request('prompts/get', { name: 'write', arguments: { about: 'us' } })).result,
    ).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'Write about us.' } }],
    })
    const completed = await client.request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'write' },
      argument: { name: 'about', value: 'c' },
    })
    expect(completed.result).toMatchObject({ completion: { values: ['cats'] } })

    const updated = new Promise((resolve) => client.onResourceUpdated(resolve))
    // Before it subscribes: the listen that is acknowledged then asks for both.
    const changed = new Promise((resolve) => client.onListChanged(resolve))
    await client.subscribe('note://one')
    registry.resourceUpdated('note://one')
    expect(await updated).toBe('note://one')

    registry.addTool({ name: 'fresh', run: () => 'new' })
    expect(await changed).toBe('tools')
    expect((await client.listTools()).items.map(({ name }) => name)).toContain('fresh')

    const giveUp = new AbortController()
    const given = client.request('tools/call', { name: 'wait', arguments: {} }, { signal: giveUp.signal })
    await waiting
    giveUp.abort()
    await expect(given).rejects.toThrow('cancel')
    expect(await cancelled).toBe('cancelled')
  })
})

describe('requests without sessions', () => {
  it('are served on over HTTP, from a server of either era', async () => {
    for (const upstream of [OLD, NEW]) {
      const server = serverOf(everything().registry, closing, [upstream])
      const proxy = createProxy({ servers: [{ open: upstreamBy(inMemory(server)) }], info: INFO })
      closing.add(() => proxy.close())
      const open = await wayTo(proxy, 'http without sessions', closing)
      for (const protocol of [OLD, NEW] as const) {
        const client = await clientOf(open, closing, { protocol })
        const { result } = await client.request('tools/call', { name: 'tell', arguments: { text: 'x' } })
        expect(result).toMatchObject({ structuredContent: { text: 'x' } })
      }
    }
  })
})
