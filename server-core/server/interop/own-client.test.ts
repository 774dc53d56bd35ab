import { afterEach, describe, expect, it } from 'vitest'
import { connect } from '../../client/connect.ts'
import { SUPPORTED, type Revision } from '../../protocol/revisions.ts'
import { Registry } from '../../registry/registry.ts'
import type { ClientTransport } from '../../transports/contract.ts'
import { httpTransport } from '../../transports/http-client.ts'
import { memoryPair } from '../../transports/memory-link.ts'
import { createServer } from '../server.ts'
import { serve } from './listening.test-support.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A tool that lets its connection go, and one that lets it go on. */
function polled(): Registry {
  const registry = new Registry()
  const gate = Promise.withResolvers<void>()
  registry.addTool({ name: 'hello', run: () => 'hello' })
  registry.addTool({
    name: 'open',
    run: () => {
      gate.resolve()
      return 'open'
    },
  })
  registry.addTool({
    name: 'wait',
    run: async (_args, ctx) => {
      ctx.releaseStream(1)
      await gate.promise
      return 'waited'
    },
  })
  return registry
}

const ways: readonly (readonly [string, (revision: Revision) => Promise<ClientTransport>])[] = [
  [
    'in memory',
    (revision) => {
      const server = createServer({
        registry: polled(),
        info: { name: 'own', version: '1' },
        revisions: [revision],
      })
      closing.push(() => server.close())
      const pair = memoryPair()
      server.attach(pair.server)
      return Promise.resolve(pair.client)
    },
  ],
  [
    'over Streamable HTTP',
    async (revision) => httpTransport({ url: (await serve(polled(), { revisions: [revision] })).url }),
  ],
  [
    'over Streamable HTTP without sessions',
    async (revision) =>
      httpTransport({ url: (await serve(polled(), { revisions: [revision], sessions: 'none' })).url }),
  ],
]

describe.each(ways)('our own client %s', (_way, open) => {
  it.each(SUPPORTED)(
    'finds that a server speaks %s alone, calls, and waits for what is let go',
    async (revision) => {
      const transport = await open(revision)
      const client = await connect({ open: () => transport, identity: { name: 'own', version: '1' } })
      closing.push(() => client.close())
      expect(client.revision).toBe(revision)
      const call = async (name: string) => (await client.request('tools/call', { name })).result
      expect(await call('hello')).toMatchObject({ content: [{ text: 'hello' }] })
      const waiting = call('wait')
      expect(await call('open')).toMatchObject({ content: [{ text: 'open' }] })
      expect(await waiting).toMatchObject({ content: [{ text: 'waited' }] })
    },
  )
})
