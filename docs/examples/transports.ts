import { connect } from '../../server-core/client/connect.ts'
import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { startHttpListener } from '../../server-core/listener/http-listener.ts'
import { memoryPair } from '../../server-core/transports/memory/memory-link.ts'
import { claimStandardOutput, stdioServerLink } from '../../server-core/transports/stdio/stdio-server.ts'
import { portArgument } from './run.ts'

const registry = new Registry()
registry.addTool({ name: 'hello', run: () => 'hello' })
const server = createServer({ registry, info: { name: 'transports', version: '1.0.0' } })

// Streamable HTTP at /mcp, HTTP+SSE at /sse and WebSocket at /ws, on one port; each may be left out.
const listener = await startHttpListener({
  server,
  host: '127.0.0.1',
  port: portArgument() ?? 0,
  routes: { mcp: true, sse: true, ws: true },
})
for (const url of Object.values(listener.urls)) console.error(`listening at ${url}`)

// In memory: a client in the same process.
const pair = memoryPair()
server.attach(pair.server)
const client = await connect({ open: () => pair.client, identity: { name: 'inside', version: '1.0.0' } })
const { result } = await client.request('tools/call', { name: 'hello' })
console.error(`in memory: ${JSON.stringify(result)}`)
await client.close()

// Standard input and output, which carries messages from here on: what is printed goes to standard error. When the
// client leaves, all of it ends.
await server.attach(stdioServerLink({ input: process.stdin, output: claimStandardOutput() })).closed
await listener.close()
await server.close()
