import { isJsonObject } from '../../../server-core/protocol/json.ts'
import type { Revision } from '../../../server-core/protocol/revisions.ts'
import { Registry } from '../../../server-core/registry/registry.ts'
import { createServer } from '../../../server-core/server/server.ts'
import { startHttpListener } from '../../../server-core/listener/http-listener.ts'

/** A server of the product at an address on loopback. */
export type StartedServer = { readonly url: string; readonly close: () => Promise<void> }

/** Tools whose calls may be tasks: one asks for a colour first, one is never ready. Speaks one revision only. */
export async function startTaskServer(revision: Revision): Promise<StartedServer> {
  const registry = new Registry()
  const form = { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] }
  registry.addTool({
    name: 'paint',
    description: 'Asks for a colour.',
    taskSupport: 'optional',
    run: async (_, ctx) => {
      const answer: unknown = await ctx.elicit('Which colour?', form, { key: 'colour' })
      return `painted ${isJsonObject(answer) ? String(answer['colour']) : 'nothing'}`
    },
  })
  registry.addTool({
    name: 'wait',
    description: 'Is never ready.',
    taskSupport: 'optional',
    run: (_, ctx) =>
      new Promise<string>((_resolve, reject) => {
        ctx.signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
      }),
  })
  const server = createServer({
    registry,
    info: { name: 'tasks', version: '1.0.0' },
    revisions: [revision],
  })
  const listener = await startHttpListener({ server, port: 0 })
  return {
    url: listener.url,
    close: async () => {
      await listener.close()
      await server.close()
    },
  }
}
