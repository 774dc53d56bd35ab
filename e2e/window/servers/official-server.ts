import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { SubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'

// One of everything, made with the official SDK. It lists the same from its first to its last message.
const server = new McpServer(
  { name: 'official', version: '1.0.0' },
  { capabilities: { resources: { subscribe: true } } },
)
server.registerTool('echo', { inputSchema: { message: z.string() } }, ({ message }) => ({
  content: [{ type: 'text', text: `Echo: ${message}` }],
}))
server.registerTool('nothing', {}, () => ({ content: [] }))
server.registerResource('readme', 'demo://readme', { mimeType: 'text/plain' }, ({ href }) => ({
  contents: [{ uri: href, text: 'All that is to be read' }],
}))
server.registerResource(
  'page',
  new ResourceTemplate('demo://page/{number}', { list: undefined }),
  {},
  ({ href }) => ({
    contents: [{ uri: href, text: 'A page' }],
  }),
)
server.registerPrompt('greeting', { argsSchema: { name: z.string() } }, ({ name }) => ({
  messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}.` } }],
}))
server.server.setRequestHandler(SubscribeRequestSchema, () => ({}))
await server.connect(new StdioServerTransport())
