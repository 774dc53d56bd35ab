import { Registry } from '../../server-core/registry/registry.ts'

const COUNTER = 'bench://counter'
const NUMBER = { type: 'number' } as const

/** What is called and listed under load: `add`, `echo`, `touch`, and any number of tools that are only listed. */
export function benchRegistry(tools: number): Registry {
  const registry = new Registry()
  registry.addTool({
    name: 'add',
    description: 'Adds two numbers',
    input: { type: 'object', properties: { a: NUMBER, b: NUMBER }, required: ['a', 'b'] },
    run: ({ a, b }) => String(Number(a) + Number(b)),
  })
  registry.addTool({
    name: 'echo',
    description: 'Gives its text back',
    input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    run: ({ text }) => String(text),
  })
  registry.addTool({
    name: 'touch',
    description: 'Tells everybody who is subscribed that the counter changed',
    run: (_, ctx) => {
      ctx.changed({ uri: COUNTER })
      return 'ok'
    },
  })
  registry.addResource({ uri: COUNTER, name: 'counter', read: () => '0' })
  for (let index = 0; index < tools; index += 1) addListed(registry, index)
  return registry
}

function addListed(registry: Registry, index: number): void {
  const name = `tool_${String(index).padStart(5, '0')}`
  registry.addTool({
    name,
    description: `Tool number ${index}: searches collection ${index % 97} and gives back the best matches.`,
    input: {
      type: 'object',
      properties: {
        query: { type: 'string', description: `What tool ${index} should look for` },
        limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Greatest number of results' },
        mode: { type: 'string', enum: ['fast', 'exact', 'fuzzy'], description: 'How to match' },
      },
      required: ['query'],
    },
    run: () => name,
  })
}
