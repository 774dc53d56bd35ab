import { z } from 'zod'
import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { run } from './run.ts'

const registry = new Registry()
const NOTES = new Map([
  [1, 'milk'],
  [2, 'bread'],
])

const note = registry.addResourceTemplate({
  uriTemplate: 'note://{id}/{format}',
  name: 'note',
  // A variable is text, unless a schema says more; `note://one/plain` is not of this template.
  variables: { id: z.number().int(), format: z.enum(['plain', 'loud']) },
  // Those that exist are listed beside the static resources.
  list: () => Array.from(NOTES.keys(), (id) => ({ uri: `note://${id}/plain`, name: `note ${id}` })),
  // Enums complete themselves.
  complete: { id: () => Array.from(NOTES.keys(), String) },
  read: ({ id, format }) => {
    const text = NOTES.get(id)
    return format === 'loud' ? text?.toUpperCase() : text
  },
})

// The URI for these values.
registry.addTool({ name: 'where', run: () => note.expand({ id: 2, format: 'loud' }) })

// The rest of a path, and parameters of a query that may be missing.
registry.addResourceTemplate({
  uriTemplate: 'file:///{+path}{?lines}',
  name: 'file',
  variables: { lines: { type: 'integer', default: 10 } },
  read: ({ path, lines }) => `${lines} lines of ${path}`,
})

await run(createServer({ registry, info: { name: 'templates', version: '1.0.0' } }))
