import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../../protocol/json.ts'
import type { HandlerContext } from '../context.ts'
import { ScriptedInvocation } from '../scripted-invocation.test-support.ts'
import { inEveryPlacement, text } from './setup.test-support.ts'

const said = (words: string, more: JsonObject = {}) => ({
  role: 'assistant',
  content: text(words),
  model: 'm',
  ...more,
})

inEveryPlacement('handlers that ask a model', ({ runTool }) => {
  const Weather = z.object({ city: z.string(), high: z.number().default(20) })

  it('pass a conversation and every option on, and get the whole answer', async () => {
    const invocation = new ScriptedInvocation({
      answer: () => ({
        q1: {
          role: 'assistant',
          content: [text('let me '), { type: 'tool_use', id: '1', name: 'look', input: {} }, text('see')],
          model: 'm',
          stopReason: 'toolUse',
        },
      }),
    })
    const messages = [
      { role: 'user' as const, content: text('Hello') },
      { role: 'assistant' as const, content: [text('Hi'), text('there')] },
      { role: 'user' as const, content: text('Weather?') },
    ]
    const options = {
      maxTokens: 7,
      systemPrompt: 'brief',
      temperature: 0.5,
      stopSequences: ['.'],
      modelPreferences: { hints: [{ name: 'small' }] },
      includeContext: 'none' as const,
      tools: [{ name: 'look', inputSchema: { type: 'object' } }],
      toolChoice: { mode: 'auto' },
      metadata: { a: 1 },
    }
    const outcome = await runTool((_, ctx) => ctx.sample(messages, options), invocation)
    expect(outcome.structured).toMatchObject({ text: 'let me see', stopReason: 'toolUse', model: 'm' })
    expect(invocation.asked[0]?.[0]?.params).toEqual({ messages, ...options })
  })

  it.each([
    ['as it is', '{"city":"Oslo"}'],
    [
      'in a fenced block with words around it',
      'Here you are:\n```json\n{"city":"Oslo"}\n```\nAnything else?',
    ],
  ])('for JSON get it checked, with defaults: %s', async (_, words) => {
    const invocation = new ScriptedInvocation({ answer: () => ({ q1: said(words) }) })
    const outcome = await runTool(async (_args, ctx) => {
      const { value, model } = await ctx.sample('Weather?', { result: Weather, systemPrompt: 'Be brief.' })
      return { high: value.high + 1, city: value.city, model }
    }, invocation)
    expect(outcome.structured).toEqual({ high: 21, city: 'Oslo', model: 'm' })
    const { systemPrompt, ...rest } = invocation.asked[0]?.[0]?.params ?? {}
    expect(systemPrompt).toMatch(/^Be brief\.\n\nAnswer with one JSON value.*"city":\{"type":"string"\}/)
    expect(rest).toEqual({ messages: [{ role: 'user', content: text('Weather?') }], maxTokens: 1_000 })
  })

  it('ask again for JSON that does not fit, saying why', async () => {
    const invocation = new ScriptedInvocation({
      answer: (_, round) => ({
        q1: said(['Oslo, I think.', '{"city":1}', '{"city":"Oslo"}'][round - 1] ?? ''),
      }),
    })
    const outcome = await runTool(
      async (_, ctx) =>
        (
          await ctx.sample('Weather?', {
            result: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
          })
        ).value,
      invocation,
    )
    expect(outcome.structured).toEqual({ city: 'Oslo' })
    expect(invocation.asked[1]?.[0]?.params['messages']).toEqual([
      { role: 'user', content: text('Weather?') },
      { role: 'assistant', content: text('Oslo, I think.') },
      { role: 'user', content: text('That answer could not be used: it is not JSON. Answer again.') },
    ])
    expect(invocation.asked[2]?.[0]?.params['messages']).toMatchObject([
      {},
      { content: text('{"city":1}') },
      { content: { text: expect.stringContaining('city') } },
    ])
  })

  it('give up on JSON after three answers', async () => {
    const invocation = new ScriptedInvocation({ answer: () => ({ q1: said('no') }) })
    const outcome = await runTool((_, ctx) => ctx.sample('Weather?', { result: Weather }), invocation)
    expect(outcome).toMatchObject({
      isError: true,
      content: [{ text: 'Question "q1" got no usable answer in 3 rounds. The last time: it is not JSON.' }],
    })
    expect(invocation.asked).toHaveLength(3)
  })

  it.each<[string, (ctx: HandlerContext) => Promise<unknown>, string]>([
    ['no message', (ctx) => ctx.sample([]), 'the list of messages is empty'],
    ['no tokens', (ctx) => ctx.sample('x', { maxTokens: 0 }), 'maxTokens is 0; expected a whole number'],
  ])('with %s are refused before the client is asked', async (_, ask, message) => {
    const invocation = new ScriptedInvocation()
    const outcome = await runTool((_args, ctx) => ask(ctx), invocation)
    expect(outcome).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(message) }] })
    expect(invocation.asked).toEqual([])
  })
})

inEveryPlacement('handlers that ask for a form by JSON Schema', ({ runTool }) => {
  describe('get', () => {
    it('defaults for what was left out', async () => {
      const schema = {
        type: 'object',
        properties: {
          name: { type: 'string', default: 'Ann' },
          size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'], default: 's' },
          sure: { type: 'boolean', default: false },
          age: { type: 'integer' },
        },
      }
      const invocation = new ScriptedInvocation({
        answer: () => ({ q1: { action: 'accept', content: { size: 'l' } } }),
      })
      const outcome = await runTool((_, ctx) => ctx.elicit('Who?', schema), invocation)
      expect(outcome.structured).toEqual({ name: 'Ann', size: 'l', sure: false })
      expect(invocation.asked[0]?.[0]?.params['requestedSchema']).toEqual(schema)
    })
  })
})
