import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import Type from 'typebox'
import * as v from 'valibot'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { isJsonObject } from '../../protocol/json.ts'
import type { InputOf, SchemaInput } from '../schema.ts'
import { ScriptedInvocation } from '../scripted-invocation.test-support.ts'
import { useJsonSchemaConverter } from '../standard-schema.ts'
import { inEveryPlacement, text } from './setup.test-support.ts'

const valibot = toStandardJsonSchema(
  v.object({
    city: v.pipe(v.string(), v.minLength(2)),
    days: v.optional(v.pipe(v.number(), v.integer()), 3),
  }),
)
const arktype = type({ city: 'string >= 2', days: 'number.integer = 3' })

const LIBRARIES: readonly [string, SchemaInput][] = [
  ['Valibot', valibot],
  ['ArkType', arktype],
]

inEveryPlacement('schemas of other libraries', ({ view, call }) => {
  describe.each(LIBRARIES)('%s', (_name, schema) => {
    it('lists the input as JSON Schema, and passes the arguments to the handler as the library parsed them', async () => {
      const { view: opened } = await view((registry) => {
        registry.addTool({ name: 'plan', input: schema, run: (args) => args })
      })
      expect(opened.tool('plan')?.inputSchema).toMatchObject({
        type: 'object',
        properties: { city: { type: 'string', minLength: 2 }, days: { type: 'integer' } },
        required: ['city'],
      })
      expect(await call(opened, 'plan', { city: 'Oslo' })).toMatchObject({
        structured: { city: 'Oslo', days: 3 },
      })
      const refused = await call(opened, 'plan', { city: 'X', days: 'many' })
      expect(refused.isError).toBe(true)
      const said = String(refused.content[0]?.['text'])
      expect(said).toContain('The arguments of plan are not valid')
      expect(said).toMatch(/city/)
    })

    it('checks a result, a variable of a URI and an answer', async () => {
      const { view: opened } = await view((registry) => {
        registry.addTool({ name: 'good', output: schema, run: () => ({ city: 'Oslo' }) })
        registry.addTool({ name: 'bad', output: schema, run: () => ({ city: 1 }) })
        registry.addTool({ name: 'ask', run: (_, ctx) => ctx.elicit('Where?', schema) })
      })
      expect(await call(opened, 'good', {})).toMatchObject({ structured: { city: 'Oslo', days: 3 } })
      expect(await call(opened, 'bad', {})).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('breaks its own output schema') }],
      })
      const accepted = { action: 'accept', content: { city: 'Oslo' } }
      const answers = new ScriptedInvocation({
        answer: (questions) => Object.fromEntries(questions.map(({ key }) => [key, accepted])),
      })
      expect(await call(opened, 'ask', {}, answers)).toMatchObject({ structured: { city: 'Oslo', days: 3 } })
    })
  })

  it('takes TypeBox as the JSON Schema that it is', async () => {
    const input = Type.Object({ city: Type.String(), days: Type.Optional(Type.Integer({ minimum: 1 })) })
    const { view: opened } = await view((registry) => {
      registry.addTool({ name: 'plan', input, run: ({ city, days }) => `${city} ${days ?? 'some'}` })
    })
    expect(opened.tool('plan')?.inputSchema).toEqual({
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
      required: ['city'],
    })
    expect(await call(opened, 'plan', { city: 'Oslo' })).toEqual({ content: [text('Oslo some')] })
  })
})

describe('schemas that cannot be expressed in JSON Schema', () => {
  const adding = (input: SchemaInput) => async () => {
    const { Registry } = await import('../registry.ts')
    new Registry().addTool({ name: 'plan', input, run: () => '' })
  }

  it('name the tool, and what would help', async () => {
    await expect(adding(v.object({ city: v.string() }))).rejects.toThrow(
      /^Cannot write the input of tool "plan" as JSON Schema: Valibot needs the package @valibot\/to-json-schema/,
    )
    await expect(adding(mini.object({ city: mini.string() }))).rejects.toThrow('import z from zod')
    const bare = { '~standard': { version: 1, vendor: 'effect', validate: () => ({ value: {} }) } } as const
    await expect(adding(bare)).rejects.toThrow('the library "effect" has no converter')
    await expect(adding(toStandardJsonSchema(v.string()))).rejects.toThrow('must be an object schema')
    await expect(adding((() => '') as never)).rejects.toThrow('must be a schema; got a function')
  })

  it('are converted by the package that the library has for it', async () => {
    useJsonSchemaConverter('valibot', (schema, side) =>
      toStandardJsonSchema(schema as never)['~standard'].jsonSchema[side]({ target: 'draft-2020-12' }),
    )
    const { Registry } = await import('../registry.ts')
    const registry = new Registry()
    registry.addTool({ name: 'plan', input: v.object({ city: v.string() }), run: ({ city }) => city })
    expect(registry.tool('plan')?.inputSchema['properties']).toEqual({ city: { type: 'string' } })
  })
})

it('infers what handlers get and give', async () => {
  const { Registry } = await import('../registry.ts')
  const registry = new Registry()
  type Plan = { city: string; days: number }
  registry.addTool({
    name: 'valibot',
    input: valibot,
    run: (args) => expectTypeOf(args).toEqualTypeOf<Plan>(),
  })
  registry.addTool({
    name: 'arktype',
    input: arktype,
    run: (args) => expectTypeOf(args).toEqualTypeOf<Plan>(),
  })
  const Kind = Type.Union([Type.Literal('sun'), Type.Literal('rain')])
  const typebox = Type.Object({
    city: Type.String(),
    kind: Kind,
    list: Type.Array(Type.Number()),
    few: Type.Optional(Type.Boolean()),
  })
  registry.addTool({
    name: 'typebox',
    input: typebox,
    run(args) {
      expectTypeOf(args.city).toEqualTypeOf<string>()
      expectTypeOf(args.kind).toEqualTypeOf<'sun' | 'rain'>()
      expectTypeOf(args.list).toEqualTypeOf<number[]>()
      expectTypeOf(args.few).toEqualTypeOf<boolean | undefined>()
    },
  })
  registry.addResourceTemplate({
    uriTemplate: 'day://{n}',
    name: 'day',
    variables: { n: arktype.get('days') },
    read: ({ n }) => {
      expectTypeOf(n).toEqualTypeOf<number>()
      return ''
    },
  })
  registry.addTool({
    name: 'zod',
    input: z.object({ n: z.number().default(1) }),
    run: (args) => expectTypeOf(args).toEqualTypeOf<{ n: number }>(),
  })
  expectTypeOf<InputOf<typeof arktype, never>>().toEqualTypeOf<{ city: string; days?: number }>()
  expectTypeOf<InputOf<typeof valibot, never>>().toEqualTypeOf<{ city: string; days?: number | undefined }>()
  expect(registry.tools().every(({ inputSchema }) => isJsonObject(inputSchema))).toBe(true)
})
