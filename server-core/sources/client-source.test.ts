import { afterEach, describe, expect, it } from 'vitest'
import { clientOf, Closing, inMemory, serverOf } from './proxy/proxy.test-support.ts'
import { connect } from '../client/connect.ts'
import type { Responders } from '../client/responders.ts'
import type { Revision } from '../protocol/revisions.ts'
import type { RegistryChange } from '../registry/entries.ts'
import { Registry } from '../registry/registry.ts'
import { createServer } from '../server/server.ts'
import { clientSource } from './client-source.ts'
import { composeRegistry } from './compose.ts'

const named = (name: string): Responders => ({
  elicitation: { form: () => Promise.resolve({ action: 'accept', content: { name } }) },
})

const closing = new Closing()
afterEach(() => closing.close())

describe.each<[Revision]>([['2025-11-25'], ['2026-07-28']])('a connected client of %s', (revision) => {
  async function composed() {
    const registry = new Registry()
    registry.addTool({
      name: 'tell',
      tags: ['talk'],
      run: (args, ctx) => {
        ctx.progress(1, 2, 'half')
        return String(args['text'])
      },
    })
    registry.addTool({
      name: 'ask',
      run: async (_args, ctx) => {
        const schema = { type: 'object', properties: { name: { type: 'string' } } } as const
        return String((await ctx.elicit('Your name?', schema))['name'])
      },
    })
    registry.addResource({ uri: 'note://one', name: 'one', read: () => 'first' })
    const connection = await connect({
      open: inMemory(serverOf(registry, closing, [revision])),
      identity: { name: 'mine', version: '1' },
      responders: named('its own'),
    })
    closing.add(() => connection.close())
    const source = clientSource(connection, { id: 'far', prefix: 'far' })
    closing.add(() => source.close())
    await source.settled
    const own = new Registry()
    own.addTool({ name: 'near', run: () => 'here' })
    const view = composeRegistry([
      { id: 'own', origin: { kind: 'built-in', label: 'own' }, view: own },
      source.source,
    ])
    const server = createServer({ registry: view, info: { name: 'composed', version: '1' } })
    closing.add(() => server.close())
    return { registry, connection, source, view, server }
  }

  it('is a source like any other: its server’s entries are served under a prefix', async () => {
    const { view, server, source } = await composed()
    expect(source.source.origin).toEqual({ kind: 'proxy', label: 'behind' })
    expect(view.tools().map(({ name, tags }) => [name, tags])).toEqual([
      ['near', undefined],
      ['far.tell', ['talk']],
      ['far.ask', undefined],
    ])
    const client = await clientOf(() => Promise.resolve(inMemory(server)()), closing, {
      responders: named('in front'),
    })
    const progress: unknown[] = []
    const { result } = await client.request(
      'tools/call',
      { name: 'far.tell', arguments: { text: 'hello' } },
      { onProgress: ({ message }) => progress.push(message) },
    )
    expect(result).toMatchObject({ content: [{ type: 'text', text: 'hello' }] })
    expect(progress).toEqual(['half'])
    // A server with a handshake asks who opened the connection; later ones ask whoever calls.
    const asked = revision === '2025-11-25' ? 'its own' : 'in front'
    expect((await client.request('tools/call', { name: 'far.ask' })).result).toMatchObject({
      content: [{ text: asked }],
    })
    expect((await client.request('resources/read', { uri: 'note://far/one' })).result).toMatchObject({
      contents: [{ text: 'first' }],
    })
  })

  it('follows its server, stays open when the source is closed, and says why it fails when it is closed', async () => {
    const { registry, connection, source, view } = await composed()
    const changed = new Promise<RegistryChange>((resolve) => {
      view.onChange((change) => {
        if (change.type === 'list' && view.tool('far.later') !== undefined) resolve(change)
      })
    })
    registry.addTool({ name: 'later', run: () => '' })
    await changed
    const other = clientSource(connection, { id: 'other', label: 'mine', only: ['tag:talk'] })
    await other.settled
    expect(other.source.view.tools().map(({ name }) => name)).toEqual(['tell'])
    await other.close()
    expect((await connection.listTools()).items).toHaveLength(3)
    const down = new Promise<void>((resolve) => {
      source.onFault(() => resolve())
    })
    await connection.close()
    await down
    expect(source.fault()).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('"behind"'),
    })
    expect(view.entries().filter(({ state }) => state === 'failing')).toHaveLength(4)
  })
})
