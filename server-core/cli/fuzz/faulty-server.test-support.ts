/** A server on stdio with a fault in each tool: `node faulty-server.mjs`. The tool `sound` has none. */
export const FAULTY_SERVER = `
import { createInterface } from 'node:readline'
const schema = (properties, required = Object.keys(properties)) => ({ type: 'object', properties, required, additionalProperties: false })
const text = schema({ text: { type: 'string' }, note: { type: 'string' } }, ['text'])
const number = schema({ n: { type: 'integer', minimum: -1000, maximum: 1000 } })
const outputSchema = schema({ half: { type: 'integer' } })
const tools = [
  { name: 'sound', inputSchema: schema({ text: { type: 'string', maxLength: 5 }, kind: { enum: ['a', 'b'] } }), annotations: { readOnlyHint: true } },
  { name: 'crashes', inputSchema: text },
  { name: 'hangs', inputSchema: number },
  { name: 'refuses', inputSchema: number },
  { name: 'misanswers', inputSchema: number, outputSchema },
  { name: 'accepts', inputSchema: schema({ kind: { enum: ['a', 'b'] } }) },
  { name: 'mumbles', inputSchema: schema({ kind: { enum: ['a', 'b'] } }) },
]
const done = (structuredContent) => ({ result: { content: [{ type: 'text', text: 'done' }], ...(structuredContent && { structuredContent }) } })
const invalid = (message) => ({ error: { code: -32602, message } })
const isText = ({ text, note, ...other }) => typeof text === 'string' && ['string', 'undefined'].includes(typeof note) && Object.keys(other).length === 0
const isNumber = ({ n, ...other }) => Number.isInteger(n) && Math.abs(n) <= 1000 && Object.keys(other).length === 0
const isKind = ({ kind, ...other }) => ['a', 'b'].includes(kind) && Object.keys(other).length === 0
const call = {
  sound: (input) => isKind({ kind: input.kind }) && typeof input.text === 'string' && Array.from(input.text).length <= 5 && Object.keys(input).length === 2 ? done() : invalid('text or kind is wrong'),
  crashes: (input) => {
    if (!isText(input)) return invalid('text must be a text')
    if (input.text === '') process.exit(7)
    return done()
  },
  hangs: (input) => !isNumber(input) ? invalid('n must be a number') : input.n < -10 ? undefined : done(),
  refuses: (input) => !isNumber(input) ? invalid('n must be a number') : input.n > 99 ? { error: { code: -32603, message: 'overflow' } } : done(),
  misanswers: (input) => !isNumber(input) ? invalid('n must be a number') : done({ half: input.n / 2 }),
  accepts: () => done(),
  mumbles: (input) => isKind(input) ? done() : { error: { code: -32603, message: 'Internal error' } },
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...message }) + '\\n')
  if (method === 'initialize') send({ result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'faulty', version: '1' } } })
  else if (method === 'tools/list') send({ result: { tools } })
  else if (method === 'tools/call') {
    const answer = call[params.name](params.arguments ?? {})
    if (answer !== undefined) send(answer)
  } else if (id !== undefined) send({ error: { code: -32601, message: 'unknown method' } })
}
`
