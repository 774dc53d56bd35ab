import { Registry } from '../../registry/registry.ts'

/** What the official clients are tried on: a bit of everything. */
export function fixtureRegistry(): Registry {
  const registry = new Registry()
  registry.addTool({
    name: 'add',
    title: 'Add',
    description: 'Adds two numbers.',
    input: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
    output: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
    run: ({ a, b }) => ({ sum: Number(a) + Number(b) }),
  })
  registry.addTool({
    name: 'many',
    description: 'Gives a list.',
    output: { type: 'array', items: { type: 'number' } },
    run: () => [1, 2, 3],
  })
  registry.addTool({
    name: 'greet',
    description: 'Asks for a name.',
    run: async (_args, ctx) => {
      const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
      const { name } = await ctx.elicit('Your name?', schema)
      return `Hello ${String(name)}`
    },
  })
  const released = Promise.withResolvers<void>()
  registry.addTool({
    name: 'work',
    description: 'Reports progress, and goes on until it is released.',
    run: async (_args, ctx) => {
      ctx.progress(1, 2, 'half')
      // The official clients lose progress that arrives in one piece with the answer.
      await released.promise
      return 'worked'
    },
  })
  registry.addTool({
    name: 'release',
    description: 'Lets the work end.',
    run: () => {
      released.resolve()
      return 'released'
    },
  })
  registry.addTool({
    name: 'grow',
    description: 'Adds another tool.',
    run: () => {
      registry.addTool({ name: 'grown', run: () => 'grown' })
      return 'more'
    },
  })
  registry.addResource({ uri: 'note://one', name: 'one', read: 'first note' })
  registry.addResourceTemplate({
    uriTemplate: 'note://{id}/text',
    name: 'any',
    read: ({ id }) => `note ${id}`,
  })
  registry.addPrompt({
    name: 'write',
    arguments: [{ name: 'about', required: true }],
    complete: { about: ['cats', 'dogs'] },
    get: ({ about }) => `Write about ${about}.`,
  })
  return registry
}
