/** A server on stdio that lists what a file has: `node definitions-server.mjs FILE`. It has no limit and no check. */
export const DEFINITIONS_SERVER = `
import { createInterface } from 'node:readline'
import { readFileSync } from 'node:fs'
const lists = { 'tools/list': 'tools', 'resources/list': 'resources', 'resources/templates/list': 'resourceTemplates', 'prompts/list': 'prompts' }
const capabilities = { tools: {}, resources: {}, prompts: {} }
const serverInfo = { name: 'definitions', version: '1' }
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line)
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...message }) + '\\n')
  const list = lists[method]
  if (method === 'initialize') send({ result: { protocolVersion: '2025-11-25', capabilities, serverInfo } })
  else if (list !== undefined) send({ result: { [list]: JSON.parse(readFileSync(process.argv[2], 'utf8'))[list] ?? [] } })
  else if (id !== undefined) send({ error: { code: -32601, message: 'unknown method' } })
}
`
