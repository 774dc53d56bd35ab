import { z } from 'zod'
import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { run } from './run.ts'

const registry = new Registry()

registry.addTool({
  name: 'forecast',
  title: 'Weather forecast',
  description: 'Forecast for a city.',
  // Zod: the handler gets what zod makes of the arguments, defaults and transforms included.
  input: z.object({
    city: z.string().trim().min(1),
    days: z.number().int().min(1).max(7).default(3),
  }),
  annotations: { readOnlyHint: true, openWorldHint: true },
  icons: [{ src: 'https://example.com/sun.png', mimeType: 'image/png', sizes: ['48x48'] }],
  meta: { 'example.com/team': 'weather' },
  tags: ['weather'],
  timeout: 5_000,
  run: ({ city, days }) => `${city}: sun for ${days} days`,
})

// JSON Schema works wherever zod does; zod is then never loaded.
registry.addTool({
  name: 'measure',
  input: {
    type: 'object',
    properties: { unit: { enum: ['C', 'F'] } },
    required: ['unit'],
    additionalProperties: false,
  },
  run: ({ unit }) => `21 °${String(unit)}`,
})

// A parameter of a tool may be repeated as a header of its own, for proxies that look at no bodies.
registry.addTool({
  name: 'station',
  input: {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    required: ['region'],
  },
  run: ({ region }) => `The station of ${String(region)}`,
})

await run(createServer({ registry, info: { name: 'tool-definitions', version: '1.0.0' } }))
