import { acceptedContent, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** A 1×1 PNG. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export type SdkServerEvents = {
  /** Notifies every subscriber that the tools and `test://text` changed. */
  readonly change: (server: McpServer) => void
  /** A call of `wait` was cancelled. */
  readonly cancelled: () => void
}

/** A server made with the official SDK v2: one of each kind of thing a client meets. */
export function sdkServer(events: SdkServerEvents): McpServer {
  const server = new McpServer(
    { name: 'sdk-v2', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        logging: {},
      },
      instructions: 'For tests.',
    },
  )
  server.registerTool(
    'add',
    {
      description: 'Adds.',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
    },
    ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }], structuredContent: { sum: a + b } }),
  )
  server.registerTool('picture', { description: 'Shows a pixel.', inputSchema: z.object({}) }, () => ({
    content: [{ type: 'image', data: PIXEL, mimeType: 'image/png' }],
  }))
  server.registerTool(
    'count',
    { description: 'Counts with progress.', inputSchema: z.object({ to: z.number() }) },
    async ({ to }, ctx) => {
      const progressToken = ctx.mcpReq._meta?.progressToken
      for (let progress = 1; progress <= to && progressToken !== undefined; progress += 1) {
        await ctx.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: to, message: `step ${progress}` },
        })
      }
      return { content: [{ type: 'text', text: 'done' }] }
    },
  )
  server.registerTool(
    'wait',
    { description: 'Answers only when it is cancelled.', inputSchema: z.object({}) },
    async (_args, ctx) => {
      await new Promise((resolve) => ctx.mcpReq.signal.addEventListener('abort', resolve))
      events.cancelled()
      return { content: [] }
    },
  )
  server.registerTool(
    'greet',
    { description: 'Asks for a name first.', inputSchema: z.object({ salute: z.string() }) },
    ({ salute }, ctx) => {
      const answer = acceptedContent<{ name: string }>(ctx.mcpReq.inputResponses, 'name')
      if (answer !== undefined) return { content: [{ type: 'text', text: `${salute}, ${answer.name}!` }] }
      return inputRequired({
        inputRequests: {
          name: inputRequired.elicit({
            message: 'Your name?',
            requestedSchema: z.object({ name: z.string() }),
          }),
        },
      })
    },
  )
  server.registerTool(
    'change',
    { description: 'Changes what is subscribed to.', inputSchema: z.object({}) },
    () => {
      events.change(server)
      return { content: [] }
    },
  )
  server.registerResource('text', 'test://text', { mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, text: 'hello' }],
  }))
  server.registerPrompt('hello', { argsSchema: z.object({ who: z.string() }) }, ({ who }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Say hello to ${who}` } }],
  }))
  return server
}
