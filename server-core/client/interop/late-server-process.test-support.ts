import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { revisionsOf, SUPPORTED } from '../../protocol/revisions.ts'
import { Registry } from '../../registry/registry.ts'
import { createServer } from '../../server/server.ts'
import { claimStandardOutput, stdioServerLink } from '../../transports/stdio/stdio-server.ts'

// A server on standard input and output that reads nothing before the port of its first argument says as what: `silent`
// is an old one that says nothing to what it does not know, the others are eras of this project's own server.
const gate = connect(Number(process.argv[2]), '127.0.0.1')
// Without the gate nobody is left to end it.
gate.once('close', () => process.exit())
const [kind] = (await once(gate, 'data')) as [Buffer]
const eras = { both: SUPPORTED, modern: revisionsOf('modern'), legacy: revisionsOf('legacy') }

function initialized(id: unknown): string {
  const result = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    serverInfo: { name: 'silent', version: '1' },
  }
  return `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`
}

const revisions = Object.entries(eras).find(([era]) => era === kind.toString())?.[1]
if (revisions === undefined) {
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method } = JSON.parse(line) as { id?: unknown; method: string }
    gate.write(`${method}\n`)
    if (method === 'initialize') process.stdout.write(initialized(id))
  }
} else {
  const link = stdioServerLink({ input: process.stdin, output: claimStandardOutput() })
  const registry = new Registry()
  registry.addTool({ name: 'one', run: () => '1' })
  await createServer({ registry, info: { name: 'late', version: '1' }, revisions }).attach(link).closed
}
process.exit()
