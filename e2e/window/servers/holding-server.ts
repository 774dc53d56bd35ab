import { serveLines } from './line-server.ts'

/** Calls of `hold` that were not released. */
const held: unknown[] = []

const tool = (name: string): object => ({ name, inputSchema: { type: 'object' } })
const text = (said: string): object => ({ result: { content: [{ type: 'text', text: said }] } })

// `hold` is answered when `release` is called; `die` ends the server.
serveLines(({ id, method, params }) => {
  if (method === 'tools/list') return { result: { tools: ['hold', 'release', 'die'].map(tool) } }
  if (method !== 'tools/call') return { error: { code: -32601, message: 'Method not found' } }
  if (params['name'] === 'hold') {
    held.push(id)
    return undefined
  }
  if (params['name'] === 'die') {
    process.stderr.write('Error: the disk is full\n')
    process.exit(3)
  }
  for (const each of held.splice(0)) {
    const answer = { jsonrpc: '2.0', id: each, ...text('held until it was released') }
    process.stdout.write(`${JSON.stringify(answer)}\n`)
  }
  return text('released')
})
