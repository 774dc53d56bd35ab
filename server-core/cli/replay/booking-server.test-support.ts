import { randomUUID } from 'node:crypto'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

// A server of the official SDK whose bookings have a new id in each run, and which asks before it cancels one.
// PRICE changes an answer, ASK_TWICE makes it ask again.
const bookings = new Set<string>()
const server = new McpServer({ name: 'bookings', version: '1.0.0' })

server.registerTool('book', { inputSchema: { city: z.string() } }, ({ city }) => {
  const id = `bk-${randomUUID().slice(0, 8)}`
  bookings.add(id)
  const price = Number(process.env['PRICE'] ?? 100)
  return { content: [{ type: 'text', text: JSON.stringify({ id, city, price }) }] }
})

server.registerTool('luck', {}, () => ({
  content: [{ type: 'text', text: `lucky ${randomUUID().slice(0, 4)}` }],
}))

server.registerTool('cancel', { inputSchema: { id: z.string() } }, async ({ id }) => {
  if (!bookings.has(id))
    return { isError: true, content: [{ type: 'text', text: `there is no booking ${id}` }] }
  const ask = async (message: string): Promise<string> => {
    const { action } = await server.server.elicitInput({
      message,
      requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] },
    })
    return action
  }
  const answers = [await ask('Cancel this booking?')]
  if (process.env['ASK_TWICE'] !== undefined) answers.push(await ask('Really?').catch(() => 'no answer'))
  return { content: [{ type: 'text', text: answers.join(', ') }] }
})

await server.connect(new StdioServerTransport())
