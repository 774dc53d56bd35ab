import { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** The official SDK's server with the tool that is called. */
export function officialServer(): McpServer {
  const server = new McpServer({ name: 'official', version: '1.0.0' }, { capabilities: { tools: {} } })
  const inputSchema = z.object({ a: z.number(), b: z.number() })
  server.registerTool('add', { description: 'Adds two numbers', inputSchema }, ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
  }))
  return server
}
