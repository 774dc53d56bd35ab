import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import { schemaDifferences } from './schema-differences.ts'

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
})
const between = (before: unknown, after: unknown): readonly string[] =>
  schemaDifferences(before, after).map(
    ({ pointer, what, narrows, widens }) =>
      `${pointer} ${what}${narrows ? ' [narrows]' : ''}${widens ? ' [widens]' : ''}`,
  )

describe('two schemas', () => {
  it('that are the same have no differences, in whatever order they are written', () => {
    const schema = object({ a: { type: 'string' }, b: { enum: [1, { x: 1, y: 2 }] } })
    expect(between(schema, object({ b: { enum: [1, { y: 2, x: 1 }] }, a: { type: 'string' } }))).toEqual([])
  })

  it.each<[string, JsonObject, JsonObject, readonly string[]]>([
    [
      'a removed property',
      object({ city: {}, days: {} }),
      object({ city: {} }),
      ['/properties/days days was removed [narrows] [widens]'],
    ],
    [
      'a new one that is required',
      object({}),
      object({ city: { type: 'string' } }, { required: ['city'] }),
      ['/properties/city city is new and required [narrows]'],
    ],
    ['a new one that may be left out', object({}), object({ city: {} }), ['/properties/city city is new']],
    [
      'one that becomes required',
      object({ city: {} }),
      object({ city: {} }, { required: ['city'] }),
      ['/properties/city city is required now [narrows]'],
    ],
    [
      'one that was required before anybody described it',
      object({}, { required: ['city'] }),
      object({ city: {} }),
      ['/properties/city city is new and may be left out now [widens]'],
    ],
    [
      'fewer and more values',
      { enum: ['a', 'b'] },
      { enum: ['b', 'c'] },
      ['/enum the value can no longer be "a" [narrows]', '/enum the value can also be "c" now [widens]'],
    ],
    [
      'another type',
      object({ n: { type: 'number' } }),
      object({ n: { type: 'integer' } }),
      ['/properties/n/type n is integer now and was number [narrows]'],
    ],
    [
      'a smaller range, in an item of a list',
      object({ list: { items: { type: 'integer', minimum: 1, maximum: 9 } } }),
      object({ list: { items: { type: 'integer', minimum: 2, maximum: 10 } } }),
      [
        '/properties/list/items/minimum minimum of an item of list is 2 now and was 1 [narrows]',
        '/properties/list/items/maximum maximum of an item of list is 10 now and was 9 [widens]',
      ],
    ],
    [
      'no other members',
      object({}),
      object({}, { additionalProperties: false }),
      ['/additionalProperties the value takes no other members any more [narrows]'],
    ],
    [
      'an alternative less',
      { anyOf: [{ type: 'string' }, { type: 'number' }] },
      { anyOf: [{ type: 'string' }] },
      ['/anyOf the value has alternatives that changed or were removed [narrows]'],
    ],
    [
      'a pattern that nobody can compare',
      { type: 'string', pattern: '^a' },
      { type: 'string', pattern: '^b' },
      ['/pattern pattern of the value is another now [narrows] [widens]'],
    ],
    [
      'what a reference leads to',
      { $defs: { n: { type: 'integer' } }, properties: { n: { $ref: '#/$defs/n' } } },
      { $defs: { n: { type: 'number' } }, properties: { n: { $ref: '#/$defs/n' } } },
      ['/properties/n/type n is number now and was integer [widens]'],
    ],
  ])('differ by %s', (_, before, after, expected) => {
    expect(between(before, after)).toEqual(expected)
  })

  it('that refer to themselves come to an end', () => {
    const tree = (type: string): JsonObject => ({
      $defs: { node: { type: 'object', properties: { v: { type }, next: { $ref: '#/$defs/node' } } } },
      $ref: '#/$defs/node',
    })
    expect(between(tree('string'), tree('number'))[0]).toBe(
      '/properties/v/type v is number now and was string [narrows] [widens]',
    )
  })
})

const scalar = fc.oneof(
  fc.record({ type: fc.constantFrom('string', 'integer', 'number', 'boolean', 'null') }),
  fc.record({ type: fc.constant(['string', 'null']) }),
  fc.record({ enum: fc.uniqueArray(fc.constantFrom('a', 'b', 1, 2, null), { minLength: 1 }) }),
  fc.record(
    {
      type: fc.constant('integer'),
      minimum: fc.integer({ min: 0, max: 3 }),
      maximum: fc.integer({ min: 0, max: 3 }),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record(
    {
      type: fc.constant('string'),
      minLength: fc.integer({ min: 0, max: 2 }),
      maxLength: fc.integer({ min: 0, max: 2 }),
      pattern: fc.constantFrom('^a', 'b$'),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record(
    {
      type: fc.constant('array'),
      items: fc.constantFrom({ type: 'string' }, { type: 'integer' }),
      minItems: fc.nat(2),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record({
    anyOf: fc.constantFrom([{ type: 'string' }, { type: 'null' }], [{ type: 'integer' }, { enum: ['a'] }]),
  }),
)
const KEYS = ['x', 'y', 'z']
const anyObject = fc.record(
  {
    type: fc.constant('object'),
    properties: fc.dictionary(fc.constantFrom(...KEYS), scalar, { maxKeys: 3 }),
    required: fc.uniqueArray(fc.constantFrom(...KEYS)),
    additionalProperties: fc.boolean(),
  },
  { requiredKeys: ['type', 'properties'] },
)
const VALUES = ['', 'a', 'b', 'ab', 'abb', 0, 1, 2, 3, 1.5, null, true, [], ['a'], [1], ['a', 'b']]

/** Values whose members are described: what nobody described is nobody's promise. */
const valueOf = (schema: JsonObject): fc.Arbitrary<unknown> =>
  fc.dictionary(fc.constantFrom(...KEYS), fc.constantFrom(...VALUES)).map((value) => {
    const described = schema['properties'] as JsonObject
    return Object.fromEntries(Object.entries(value).filter(([key]) => Object.hasOwn(described, key)))
  })

const ajv = new Ajv2020({ strict: false, validateFormats: false })

it('never calls a change harmless that refuses a value, or lets one through', () => {
  const cases = fc
    .tuple(anyObject, anyObject)
    .chain(([before, after]) =>
      fc.tuple(fc.constant(before), fc.constant(after), valueOf(before), valueOf(after)),
    )
  fc.assert(
    fc.property(cases, ([before, after, sent, given]) => {
      const found = schemaDifferences(before, after)
      const [was, is] = [ajv.compile(before), ajv.compile(after)]
      if (was(sent) && !is(sent)) expect(found.some(({ narrows }) => narrows)).toBe(true)
      if (is(given) && !was(given)) expect(found.some(({ widens }) => widens)).toBe(true)
    }),
    { numRuns: 200 },
  )
})

it('sees from the other side what it sees from one', () => {
  fc.assert(
    fc.property(anyObject, anyObject, (before, after) => {
      const there = schemaDifferences(before, after)
      const back = schemaDifferences(after, before)
      expect(schemaDifferences(before, before)).toEqual([])
      const isGone = (what: string): boolean => /was removed|is new/.test(what)
      const narrower = there
        .filter(({ narrows, what }) => narrows && !isGone(what))
        .map(({ pointer }) => pointer)
      const wider = back.filter(({ widens, what }) => widens && !isGone(what)).map(({ pointer }) => pointer)
      expect(narrower.toSorted()).toEqual(wider.toSorted())
    }),
  )
})
