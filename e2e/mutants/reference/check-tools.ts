import { setTimeout as wait } from 'node:timers/promises'
import type { Registry } from '../../../server-core/registry/registry.ts'

const TEXT = { type: 'object', properties: { text: { type: 'string' } } }

/** Tools that our checks look for beside those of the official suite. */
export function addCheckTools(registry: Registry): void {
  registry.addTool({
    name: 'test_echo',
    description: 'Returns its text.',
    annotations: { readOnlyHint: true },
    input: { ...TEXT, required: ['text'] },
    run: ({ text }) => String(text),
  })
  registry.addTool({
    name: 'test_slow',
    description: 'Works for a while, unless it is cancelled.',
    input: { type: 'object', properties: { milliseconds: { type: 'integer' } } },
    run: async ({ milliseconds = 300 }, ctx) => {
      await wait(Number(milliseconds), undefined, { signal: ctx.signal })
      return 'done'
    },
  })
  registry.addTool({
    name: 'test_frequent_progress',
    description: 'Reports progress a thousand times.',
    run: async (_args, ctx) => {
      for (let count = 1; count <= 1_000; count += 1) {
        ctx.progress(count, 1_000)
        if (count % 100 === 0) await wait(1)
      }
      return 'done'
    },
  })
  registry.addTool({
    name: 'test_structured',
    description: 'Returns an object.',
    output: {
      type: 'object',
      properties: { sum: { type: 'number' } },
      required: ['sum'],
    },
    input: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
    run: ({ a = 1, b = 2 }) => ({ sum: Number(a) + Number(b) }),
  })
  registry.addTool({
    name: 'test_roots',
    description: 'Lists the roots of the client.',
    run: async (_args, ctx) => JSON.stringify(await ctx.roots()),
  })
  registry.addTool({
    name: 'test_url_elicitation',
    description: 'Asks the user to open a page.',
    run: async (_args, ctx) => {
      await ctx.elicitUrl('Please sign in', 'https://example.com/sign-in')
      return 'opened'
    },
  })
}
