import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { run } from './run.ts'

const registry = new Registry()
registry.addTool({ name: 'echo', run: ({ text }) => String(text) })

// Every bound that is not named has its default; what is over one is refused with an error that names it.
const limits = { messageBytes: 64 * 1024, depth: 32, pageItems: 50 }

// And only these revisions are spoken.
const revisions = ['2025-06-18', '2026-07-28'] as const

await run(createServer({ registry, info: { name: 'limits', version: '1.0.0' }, limits, revisions }), {
  limits,
})
