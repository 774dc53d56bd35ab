import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { run } from './run.ts'

const registry = new Registry()
const CITIES: Readonly<Record<string, readonly string[]>> = {
  Norway: ['Oslo', 'Bergen'],
  Italy: ['Rome', 'Milan'],
}

registry.addPrompt({
  name: 'travel',
  description: 'Plans a journey.',
  arguments: [
    { name: 'country', required: true },
    { name: 'city', description: 'Any, if left out.' },
  ],
  complete: {
    country: Object.keys(CITIES),
    // Sees what the other arguments are set to.
    city: (typed, _ctx, { country = '' }) =>
      (CITIES[country] ?? []).filter((city) => city.toLowerCase().startsWith(typed.toLowerCase())),
  },
  // A text is what the user says.
  get: ({ country, city = 'the capital' }) => `Plan a journey to ${city} in ${country}.`,
})

// A conversation, with contents of any kind.
registry.addPrompt({
  name: 'review',
  get: () => ({
    description: 'Reviews a change.',
    messages: [
      'Review this change:',
      { content: { type: 'resource_link', uri: 'git://diff', name: 'diff' } },
      { role: 'assistant', content: 'Which rules hold here?' },
    ],
  }),
})

await run(createServer({ registry, info: { name: 'prompts', version: '1.0.0' } }))
