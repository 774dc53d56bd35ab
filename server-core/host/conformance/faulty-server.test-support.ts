import { appendFileSync, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'

/**
 * A server over stdio with the tools `touch` and `look`, of which `look` only reads. Each call adds a line to the first
 * file that it is given. While the second file exists it answers unknown methods with a wrong code.
 */
const [, , callsFile = '', faultFile = ''] = process.argv

type Request = {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: Readonly<Record<string, unknown>>
}

const TOOLS = ['touch', 'look'].map((name) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: {} },
  ...(name === 'look' && { annotations: { readOnlyHint: true } }),
}))

function replyTo({ method, params = {} }: Request): object {
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'faulty', version: '1.2.3' },
        },
      }
    case 'ping':
      return { result: {} }
    case 'tools/list':
      return { result: { tools: TOOLS } }
    case 'tools/call': {
      const name = String(params['name'])
      if (!TOOLS.some((tool) => tool.name === name))
        return { error: { code: -32602, message: `Unknown tool ${name}` } }
      appendFileSync(callsFile, `${name}\n`)
      return { result: { content: [{ type: 'text', text: 'done' }] } }
    }
    default:
      return { error: { code: existsSync(faultFile) ? -32000 : -32601, message: 'Method not found' } }
  }
}

function readRequest(line: string): Request | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return undefined
  }
}

function write(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const request = readRequest(line)
  const id = request?.id ?? null
  if (typeof request?.method === 'string') {
    if (id !== null) write({ id, ...replyTo(request) })
  } else if (request === undefined) write({ id, error: { code: -32700, message: 'Parse error' } })
  else if (!('result' in request) && !('error' in request))
    write({ id, error: { code: -32600, message: 'Invalid request' } })
})
