import { leftOpen } from '../../left-open.test-support.ts'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { SUPPORTED } from '../../protocol/revisions.ts'
import { Registry } from '../../registry/registry.ts'
import { startHttpListener, type HttpListenerOptions } from '../../listener/http-listener.ts'
import { createServer, type ServerOptions } from '../server.ts'

type Setup = Partial<HttpListenerOptions> &
  Pick<Partial<ServerOptions>, 'limits' | 'revisions' | 'extensions' | 'caching'>

/** A server that listens for the length of one test. */
export async function serve(registry: Registry = tools().registry, setup: Setup = {}) {
  const limits = setup.limits ?? DEFAULT_LIMITS
  const { revisions = SUPPORTED, extensions = [], caching = {} } = setup
  const info = { name: 'test', version: '1' }
  const server = createServer({ registry, info, limits, revisions, extensions, caching })
  const listener = await startHttpListener({ server, port: 0, ...setup })
  leftOpen.push(async () => {
    await listener.close()
    await server.close()
  })
  return { server, listener, url: listener.url }
}

/** Tools that answer, stream, wait and ask. `gate` lets the waiting ones go. */
export function tools() {
  const registry = new Registry()
  const gate = Promise.withResolvers<void>()
  const started = Promise.withResolvers<AbortSignal>()
  registry.addTool({
    name: 'echo',
    input: { type: 'object', properties: { text: { type: 'string' } } },
    run: ({ text }) => String(text),
  })
  registry.addTool({
    name: 'count',
    run: (_args, ctx) => {
      for (const value of [1, 2]) ctx.progress(value, 2)
      return 'counted'
    },
  })
  registry.addTool({
    name: 'gated',
    run: async (_args, ctx) => {
      started.resolve(ctx.signal)
      ctx.progress(1)
      await gate.promise
      return 'opened'
    },
  })
  registry.addTool({
    name: 'silent',
    run: async (_args, ctx) => {
      started.resolve(ctx.signal)
      await gate.promise
      return 'opened'
    },
  })
  registry.addTool({
    name: 'ask',
    run: async (_args, ctx) => {
      const { city } = await ctx.elicit(
        'City?',
        { type: 'object', properties: { city: { type: 'string' } } },
        { key: 'city' },
      )
      return `to ${String(city)}`
    },
  })
  registry.addTool({
    name: 'region',
    input: {
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        size: { type: 'integer', 'x-mcp-header': 'Size' },
      },
    },
    run: () => 'ok',
  })
  return { registry, gate, started: started.promise }
}
