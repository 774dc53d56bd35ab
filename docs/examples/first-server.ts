import { z } from 'zod'
import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { claimStandardOutput, stdioServerLink } from '../../server-core/transports/stdio-server.ts'

const registry = new Registry()

registry.addTool({
  name: 'add',
  description: 'Adds two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  run: ({ a, b }) => `${a} + ${b} = ${a + b}`,
})

const server = createServer({ registry, info: { name: 'first', version: '1.0.0' } })
// From here on standard output carries messages; what is printed goes to standard error.
const link = stdioServerLink({ input: process.stdin, output: claimStandardOutput() })
await server.attach(link).closed
await server.close()
