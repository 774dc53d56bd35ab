import { Registry } from '../../server-core/registry/registry.ts'
import { createServer, type McpServer } from '../../server-core/server/server.ts'

/** Our server as anybody gets it, with the one tool that is called. */
export function productServer(): McpServer {
  const registry = new Registry()
  registry.addTool({
    name: 'add',
    input: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
    run: ({ a, b }) => String(Number(a) + Number(b)),
  })
  return createServer({ registry, info: { name: 'bench', version: '1' } })
}
