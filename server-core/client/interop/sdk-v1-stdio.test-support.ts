import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

/** A server made with the official SDK v1: it knows the handshake only, and asks the client in the middle of a call. */
const server = new McpServer(
  { name: 'sdk-v1', version: '1.0.0' },
  { capabilities: { tools: { listChanged: true }, resources: { subscribe: true } } },
)
server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => ({
  content: [{ type: 'text', text: String(a + b) }],
}))
server.registerTool('greet', { inputSchema: { salute: z.string() } }, async ({ salute }) => {
  const answer = await server.server.elicitInput({
    message: 'Your name?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  })
  return { content: [{ type: 'text', text: `${salute}, ${String(answer.content?.['name'])}!` }] }
})
server.registerTool('roots', {}, async () => {
  const { roots } = await server.server.listRoots()
  return { content: [{ type: 'text', text: roots.map((root) => root.uri).join(' ') }] }
})
server.registerTool('wait', {}, async ({ signal }) => {
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
  console.error('cancelled')
  return { content: [] }
})
server.registerTool('change', {}, () => {
  server.sendToolListChanged()
  return { content: [] }
})
await server.connect(new StdioServerTransport())
