import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { run } from './run.ts'

const registry = new Registry()

// Written once; what a client's revision does not know is said in another way, or left out.
registry.addTool({
  name: 'listen',
  output: { type: 'array', items: { type: 'number' } },
  run: () => ({
    structuredContent: [3, 5, 4],
    content: [
      { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'weather://oslo', name: 'oslo' },
    ],
  }),
})

// What the user opens may change while a handler runs: it can wait for that.
registry.addTool({
  name: 'folders',
  run: async (_args, ctx) => {
    const before = await ctx.roots()
    const after = await ctx.roots({ afterChange: true })
    return `${before.length}, then ${after.length}`
  },
})

const server = createServer({ registry, info: { name: 'older-clients', version: '1.0.0' } })

// Clients with a handshake need no session here: each POST is independent. Nobody is asked, logged to or notified of
// changes then, and none of that is declared. Without this option they get a session, which has all of it.
const sessions = process.env['EXAMPLE_SESSIONS'] === 'none' ? 'none' : 'required'
await run(server, { sessions })
