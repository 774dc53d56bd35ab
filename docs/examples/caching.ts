import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { run } from './run.ts'

const registry = new Registry()

// How long what is read may be kept, and whether for one caller or for all.
registry.addResource({
  uri: 'rates://today',
  name: 'rates',
  cache: { ttlMs: 60_000, scope: 'public' },
  read: '1.08',
})

// What the lists and `server/discover` say, if it seldom changes.
const caching = {
  discover: { ttlMs: 3_600_000, scope: 'public' },
  tools: { ttlMs: 60_000, scope: 'private' },
} as const

await run(createServer({ registry, info: { name: 'caching', version: '1.0.0' }, caching }))
