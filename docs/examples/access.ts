import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { run } from './run.ts'

const registry = new Registry()
registry.addTool({ name: 'hello', run: () => 'hello' })

// Read at each request: a new token holds at once. It is compared in constant time.
const token = () => process.env['EXAMPLE_TOKEN'] ?? 'example-token'

await run(createServer({ registry, info: { name: 'access', version: '1.0.0' } }), {
  token,
  // Names by which clients may address it beside the loopback ones, and pages that may connect.
  allowedHosts: ['mcp.example.com'],
  allowedOrigins: ['https://app.example.com'],
})
