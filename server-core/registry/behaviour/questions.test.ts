import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { HandlerContext } from '../context.ts'
import { InputUnavailableError } from '../invocation.ts'
import { ScriptedInvocation } from '../scripted-invocation.test-support.ts'
import { inEveryPlacement, text } from './setup.test-support.ts'

inEveryPlacement('handlers that ask', ({ runTool }) => {
  describe('questions', () => {
    const accept = (content: JsonObject) => ({ action: 'accept', content })

    it('asked in the same turn go out together under their names', async () => {
      const invocation = new ScriptedInvocation({
        answer: () => ({
          unit: accept({ unit: 'C' }),
          q1: { role: 'assistant', content: text('a poem'), model: 'm', stopReason: 'endTurn' },
          q2: { roots: [{ uri: 'file:///a', name: 'a' }] },
          q3: { action: 'accept' },
        }),
      })
      const outcome = await runTool(async (_, ctx) => {
        const [form, sample, roots] = await Promise.all([
          ctx.elicit('Which unit?', z.object({ unit: z.enum(['C', 'F']) }), { key: 'unit' }),
          ctx.sample('Write a poem', { maxTokens: 5, systemPrompt: 'brief' }),
          ctx.roots(),
          ctx.elicitUrl('Sign in', 'https://example.org/in'),
        ])
        return [form, sample.text, sample.model, roots]
      }, invocation)
      expect(outcome.content).toEqual([text('[{"unit":"C"},"a poem","m",[{"uri":"file:///a","name":"a"}]]')])
      expect(invocation.asked).toEqual([
        [
          {
            key: 'unit',
            method: 'elicitation/create',
            params: {
              mode: 'form',
              message: 'Which unit?',
              requestedSchema: {
                type: 'object',
                properties: { unit: { type: 'string', enum: ['C', 'F'] } },
                required: ['unit'],
              },
            },
          },
          {
            key: 'q1',
            method: 'sampling/createMessage',
            params: {
              messages: [{ role: 'user', content: text('Write a poem') }],
              maxTokens: 5,
              systemPrompt: 'brief',
            },
          },
          { key: 'q2', method: 'roots/list', params: {} },
          {
            key: 'q3',
            method: 'elicitation/create',
            params: { mode: 'url', message: 'Sign in', url: 'https://example.org/in' },
          },
        ],
      ])
    })

    it('asked one after the other go out one after the other', async () => {
      const invocation = new ScriptedInvocation({
        answer: ([question]) => ({ [question?.key ?? '']: accept({ n: 1.5 }) }),
      })
      await runTool(async (_, ctx) => {
        await ctx.elicit('One?', z.object({ n: z.number() }))
        await ctx.elicit('Two?', { type: 'object', properties: { n: { type: 'number' } } })
      }, invocation)
      expect(invocation.asked.map((questions) => questions.map(({ key }) => key))).toEqual([['q1'], ['q2']])
    })

    it('find the answers that a replay carries, without asking', async () => {
      const invocation = new ScriptedInvocation({
        facts: { answers: { q1: accept({ n: 1 }), stranger: accept({}) } },
        answer: () => ({ q2: accept({ n: 2 }) }),
      })
      const schema = z.object({ n: z.number() })
      const outcome = await runTool(
        async (_, ctx) => (await ctx.elicit('One?', schema)).n + (await ctx.elicit('Two?', schema)).n,
        invocation,
        { reentrant: true },
      )
      expect(outcome.content).toEqual([text('3')])
      expect(invocation.asked.map((questions) => questions.map(({ key }) => key))).toEqual([['q2']])
    })

    it('without an answer or with one that does not fit are asked again, alone, saying why', async () => {
      const invocation = new ScriptedInvocation({
        answer: (_, round) =>
          [{}, { a: accept({ n: 1 }), b: accept({ n: 'x' }) }, { b: accept({ n: 2 }) }][round - 1] ?? {},
      })
      const outcome = await runTool(async (_, ctx) => {
        const answers = await Promise.all([
          ctx.elicit('A?', z.object({ n: z.int() }), { key: 'a' }),
          ctx.elicit(
            'B?',
            { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
            { key: 'b' },
          ),
        ])
        return answers
      }, invocation)
      expect(outcome.content).toEqual([text('[{"n":1},{"n":2}]')])
      expect(invocation.asked.map((questions) => questions.map(({ key }) => key))).toEqual([
        ['a', 'b'],
        ['a', 'b'],
        ['b'],
      ])
      expect(invocation.asked[2]?.[0]?.params['message']).toMatch(
        /^B\?\n\nThe last answer could not be used: n: /,
      )
    })

    it('that never get a usable answer fail after ten rounds', async () => {
      const invocation = new ScriptedInvocation({ answer: () => ({ q1: { action: 'maybe' } }) })
      const outcome = await runTool((_, ctx) => ctx.elicit('A?', z.object({ n: z.number() })), invocation)
      expect(outcome).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('no usable answer in 10 rounds') }],
      })
      expect(invocation.asked).toHaveLength(10)
    })

    it.each(['decline', 'cancel'] as const)(
      'answered with %s throw an error that says so',
      async (action) => {
        const invocation = new ScriptedInvocation({ answer: () => ({ q1: { action } }) })
        const outcome = await runTool(async (_, ctx) => {
          try {
            return await ctx.elicit('A?', z.object({ n: z.number() }))
          } catch (error) {
            const { name, action: told } = error as { name: string; action: string }
            return `${name} ${told}`
          }
        }, invocation)
        expect(outcome.content).toEqual([text(`ElicitationRefusedError ${action}`)])
        expect(
          (
            await runTool(
              (_, ctx) => ctx.elicitUrl('A?', 'https://e.org'),
              new ScriptedInvocation({ answer: () => ({ q1: { action } }) }),
            )
          ).isError,
        ).toBe(true)
      },
    )

    it('a client cannot answer pass their error to the server', async () => {
      const answer = () => {
        throw new InputUnavailableError('This client cannot sample.', { sampling: {} })
      }
      const failure = runTool((_, ctx) => ctx.sample('x'), new ScriptedInvocation({ answer }))
      await expect(failure).rejects.toBeInstanceOf(InputUnavailableError)
      await expect(failure).rejects.toMatchObject({ requiredCapabilities: { sampling: {} } })
    })

    it('a client answers with an error fail the tool, not the request', async () => {
      const answer = () => {
        throw new ProtocolError(ErrorCode.userRejected, 'User rejected sampling')
      }
      expect(await runTool((_, ctx) => ctx.sample('x'), new ScriptedInvocation({ answer }))).toEqual({
        isError: true,
        content: [text('The client answered the question with error -1: User rejected sampling')],
      })
    })

    it.each<[string, (ctx: HandlerContext) => Promise<unknown>, string]>([
      [
        'with nested fields',
        (ctx) => ctx.elicit('?', z.object({ a: z.object({}) })),
        'Field "a" cannot be asked for',
      ],
      ['that are not an object', (ctx) => ctx.elicit('?', z.string()), 'not an object schema'],
      [
        'with a tool result that nobody asked for',
        (ctx) =>
          ctx.sample([{ role: 'user', content: { type: 'tool_result', toolUseId: 'a', content: [] } }]),
        '(0.content): no tool_use of the message before waits for the result "a"',
      ],
      ['with a broken URL', (ctx) => ctx.elicitUrl('?', 'not a url'), 'Invalid URL'],
      [
        'with a name used before',
        async (ctx) => Promise.all([ctx.roots({ key: 'a' }), ctx.roots({ key: 'a' })]),
        'already asked a question named "a"',
      ],
    ])('%s are refused', async (_, ask, message) => {
      const invocation = new ScriptedInvocation({ answer: () => ({ a: { roots: [] } }) })
      const outcome = await runTool((_args, ctx) => ask(ctx), invocation)
      expect(outcome).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(message) }] })
    })

    it('of zod go out in the forms of the specification', async () => {
      const invocation = new ScriptedInvocation({ answer: () => ({ q1: { action: 'cancel' } }) })
      await runTool(
        (_, ctx) =>
          ctx.elicit(
            'All kinds',
            z.object({
              mail: z.email().meta({ title: 'Mail' }),
              count: z.int().min(1).default(2),
              sure: z.boolean().optional(),
              size: z.union([
                z.literal('s').meta({ title: 'Small' }),
                z.literal('l').meta({ title: 'Large' }),
              ]),
              days: z.array(z.enum(['mo', 'tu'])).max(2),
              code: z.string().regex(/^x/),
            }),
          ),
        invocation,
      )
      expect(invocation.asked[0]?.[0]?.params['requestedSchema']).toEqual({
        type: 'object',
        properties: {
          mail: { type: 'string', title: 'Mail', format: 'email' },
          count: { type: 'integer', minimum: 1, default: 2 },
          sure: { type: 'boolean' },
          size: {
            type: 'string',
            oneOf: [
              { const: 's', title: 'Small' },
              { const: 'l', title: 'Large' },
            ],
          },
          days: { type: 'array', items: { type: 'string', enum: ['mo', 'tu'] }, maxItems: 2 },
          code: { type: 'string' },
        },
        required: ['mail', 'size', 'days', 'code'],
      })
    })
  })
})
