import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { run } from './run.ts'

const registry = new Registry()
let visits = 0

// Content that stays the same.
registry.addResource({ uri: 'about://text', name: 'about', mimeType: 'text/markdown', read: '# About' })
registry.addResource({
  uri: 'about://logo',
  name: 'logo',
  mimeType: 'image/png',
  size: 4,
  annotations: { audience: ['user'], priority: 0.2 },
  read: Uint8Array.of(0x89, 0x50, 0x4e, 0x47),
})

// Content that is read again each time.
registry.addResource({ uri: 'visits://count', name: 'visits', read: () => `${visits}` })

// Several contents at once, and a missing one: `undefined` says that there is no such resource.
registry.addResource({
  uri: 'visits://all',
  name: 'all',
  read: () => [
    { uri: 'visits://all/first', text: 'one' },
    { uri: 'visits://all/second', mimeType: 'application/json', text: '2' },
  ],
})
registry.addResource({ uri: 'visits://gone', name: 'gone', read: () => undefined })

// Clients that subscribed hear that it changed.
registry.addTool({
  name: 'visit',
  run: () => {
    visits += 1
    registry.resourceUpdated('visits://count')
    return `visit ${visits}`
  },
})

await run(createServer({ registry, info: { name: 'resources', version: '1.0.0' } }))
