import { z } from 'zod'
import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { run } from './run.ts'

const registry = new Registry()
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

// A text is one text block.
registry.addTool({ name: 'text', run: () => 'Hello' })

// Any other value is structured, and is sent as JSON text too. With an output schema it is checked before it goes.
registry.addTool({
  name: 'structured',
  output: z.object({ city: z.string(), highs: z.array(z.number()) }),
  run: () => ({ city: 'Oslo', highs: [3, 5, 4] }),
})

// Content blocks, one or a list of them, go as they are; bytes become base64.
registry.addTool({
  name: 'blocks',
  run: () => [
    { type: 'text', text: 'A red pixel, by itself, as a link and embedded:' },
    { type: 'image', mimeType: 'image/png', data: PIXEL },
    { type: 'resource_link', uri: 'pixel://red', name: 'red' },
    { type: 'resource', resource: { uri: 'pixel://red', mimeType: 'image/png', blob: PIXEL } },
  ],
})

// The whole result, where content and structure differ, or `_meta` is wanted.
registry.addTool({
  name: 'explicit',
  run: () => ({
    content: [{ type: 'text', text: 'Cold.' }],
    structuredContent: { degrees: -3 },
    _meta: { 'example.com/source': 'thermometer' },
  }),
})

// Errors are for the model: a handler returns one, or throws.
registry.addTool({
  name: 'refuse',
  run: () => ({ content: [{ type: 'text', text: 'There is no such city.' }], isError: true }),
})
registry.addTool({
  name: 'fail',
  run: () => {
    throw new Error('The thermometer does not answer.')
  },
})

// Nothing is a result too: the client gets the text "nothing ok". `{ content: [] }` sends no content at all.
registry.addTool({ name: 'nothing', run: () => undefined })

await run(createServer({ registry, info: { name: 'tool-results', version: '1.0.0' } }))
