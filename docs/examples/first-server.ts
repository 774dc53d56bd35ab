import { z } from 'zod'
import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { run } from './run.ts'

const registry = new Registry()

registry.addTool({
  name: 'add',
  description: 'Adds two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  run: ({ a, b }) => `${a} + ${b} = ${a + b}`,
})

const server = createServer({ registry, info: { name: 'first', version: '1.0.0' } })
// Over standard input and output, or over HTTP with --port N.
await run(server)
