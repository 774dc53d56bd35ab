import type { Server } from 'mcp-sdk-1.0.1/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from 'mcp-sdk-1.0.1/types.js'

/** One tool, which tells its progress; the class comes from whoever chose the transport. */
export function firstServer(Implementation: typeof Server): Server {
  const server = new Implementation(
    { name: 'sdk-v1-first', version: '1.0.1' },
    { capabilities: { tools: {} } },
  )
  server.setRequestHandler(ListToolsRequestSchema, () =>
    Promise.resolve({ tools: [{ name: 'add', inputSchema: { type: 'object' as const } }] }),
  )
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const progressToken = params._meta?.progressToken
    if (progressToken !== undefined)
      await server.notification({ method: 'notifications/progress', params: { progressToken, progress: 1 } })
    const { a, b } = params.arguments as { readonly a: number; readonly b: number }
    return { content: [{ type: 'text', text: String(a + b) }] }
  })
  return server
}
