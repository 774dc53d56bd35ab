import { Registry } from '../../server-core/registry/registry.ts'
import { listedTool } from '../listed-tool.ts'

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
  const { name, description, inputSchema } = listedTool(index)
  registry.addTool({ name, description, input: inputSchema, run: () => name })
}
