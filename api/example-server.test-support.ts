/** The server that the examples of clients connect to, over stdio. */
import { z } from 'zod'
import { claimStandardOutput, createServer, Registry, stdioServerLink } from './server.ts'

const registry = new Registry()
registry.addTool({
  name: 'add',
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  run: ({ a, b }) => ({ sum: a + b }),
})
registry.addTool({
  name: 'forecast',
  input: z.object({ city: z.string() }),
  run: async ({ city }, ctx) => {
    const { unit } = await ctx.elicit('Which unit?', z.object({ unit: z.enum(['C', 'F']) }))
    return `${city}: 7 °${unit}`
  },
})
registry.addResource({ uri: 'notes://today', name: 'today', read: () => 'Buy milk' })
registry.addPrompt({
  name: 'greet',
  arguments: [{ name: 'name' }],
  complete: { name: ['Ada', 'Alan'] },
  get: ({ name }) => `Say something kind to ${name ?? 'me'}.`,
})

const server = createServer({ registry, info: { name: 'example', version: '1.0.0' } })
await server.attach(stdioServerLink({ input: process.stdin, output: claimStandardOutput() })).closed
await server.close()
