/** Tools that tell what they were sent, and tools that fail in the two ways there are. */
import { methodNotFound, serveLines, textResult, type Incoming } from './line-server.ts'

const count = {
  type: 'object',
  properties: {
    count: { type: 'integer', minimum: 1 },
    name: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['count'],
}
const optional = {
  type: 'object',
  properties: { due: { type: 'string', format: 'date-time' }, labels: { type: 'object' } },
}
const nothing = { type: 'object' }

const tools = [
  { name: 'wire', description: 'Gives back the line it was sent.', inputSchema: count },
  { name: 'optional', description: 'Has optional arguments alone.', inputSchema: optional },
  { name: 'tool_error', description: 'Fails as a tool.', inputSchema: nothing },
  { name: 'rpc_error', description: 'Fails as a request.', inputSchema: nothing },
]

function call({ params, line }: Incoming): object {
  switch (params['name']) {
    case 'wire':
      return textResult(line)
    case 'tool_error':
      return { result: { content: [{ type: 'text', text: 'The disk is full.' }], isError: true } }
    case 'rpc_error':
      return {
        error: {
          code: -32044,
          message: 'The quota is used up',
          data: { retryAfter: 9007199254740993n.toString(), plan: 'free' },
        },
      }
    default:
      return { error: { code: -32602, message: 'Unknown tool' } }
  }
}

serveLines((request) => {
  if (request.method === 'tools/list') return { result: { tools } }
  if (request.method === 'resources/list') return { result: { resources: [] } }
  if (request.method === 'resources/templates/list') return { result: { resourceTemplates: [] } }
  if (request.method === 'prompts/list') return { result: { prompts: [] } }
  return request.method === 'tools/call' ? call(request) : methodNotFound
})
