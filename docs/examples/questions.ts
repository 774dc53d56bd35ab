import { z } from 'zod'
import { ElicitationRefusedError } from '../../server-core/registry/answers.ts'
import { InputUnavailableError } from '../../server-core/registry/invocation.ts'
import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { run } from './run.ts'

const registry = new Registry()

// A question is an await, whichever revision the client speaks.
registry.addTool({
  name: 'book',
  async run(_args, ctx) {
    try {
      const { seats, window } = await ctx.elicit(
        'How many seats?',
        z.object({ seats: z.number().int().min(1).max(8), window: z.boolean().default(false) }),
      )
      return `${seats} seats${window ? ' at a window' : ''} are booked.`
    } catch (error) {
      if (error instanceof ElicitationRefusedError) return `Nothing was booked (${error.action}).`
      throw error
    }
  },
})

// Questions asked in one turn go out together; a key names each, for clients that answer them in rounds.
registry.addTool({
  name: 'introduce',
  reentrant: true,
  async run(_args, ctx) {
    const text = z.object({ value: z.string() })
    const [name, town] = await Promise.all([
      ctx.elicit('Your name?', text, { key: 'name' }),
      ctx.elicit('Your town?', text, { key: 'town' }),
    ])
    return `${name.value} of ${town.value}`
  },
})

// A page to visit, for what must not pass through the client.
registry.addTool({
  name: 'pay',
  async run(_args, ctx) {
    await ctx.elicitUrl('Pay on this page.', 'https://example.com/pay', { key: 'payment' })
    ctx.urlCompleted('payment')
    return 'paid'
  },
})

// The client's model, for a text or for JSON that fits a schema.
registry.addTool({
  name: 'summarise',
  input: z.object({ text: z.string() }),
  async run({ text }, ctx) {
    const { value } = await ctx.sample(`Summarise: ${text}`, {
      maxTokens: 200,
      result: z.object({ title: z.string(), mood: z.enum(['glad', 'sad']) }),
    })
    return `${value.title} (${value.mood})`
  },
})

// What the user opened for the server. A client that cannot answer is told apart by its error.
registry.addTool({
  name: 'folders',
  async run(_args, ctx) {
    try {
      return (await ctx.roots()).map(({ uri }) => uri).join('\n')
    } catch (error) {
      if (error instanceof InputUnavailableError) return 'This client opens no folders.'
      throw error
    }
  },
})

await run(createServer({ registry, info: { name: 'questions', version: '1.0.0' } }))
