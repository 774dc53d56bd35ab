import { describe, expect, it } from 'vitest'
import { describeSchema } from './describe-schema.ts'
import type { FieldSpec } from './field-spec.ts'

function property(spec: FieldSpec, name: string): FieldSpec {
  if (spec.shape.type !== 'object') throw new Error(`expected an object, got ${spec.shape.type}`)
  const found = spec.shape.properties.find((candidate) => candidate.name === name)
  if (found === undefined) throw new Error(`no property ${name}`)
  return found.spec()
}

function one(schema: unknown): FieldSpec {
  return property(describeSchema({ type: 'object', properties: { it: schema } }), 'it')
}

describe('describeSchema', () => {
  it('names kinds and limits in few words', () => {
    expect(one({ type: 'string', minLength: 1, maxLength: 80 }).note).toBe('string 1…80')
    expect(one({ type: 'integer', minimum: 1, maximum: 7 }).note).toBe('integer 1…7')
    expect(one({ type: 'number', minimum: -90, maximum: 90 }).note).toBe('number −90…90')
    expect(one({ type: 'number', exclusiveMinimum: 0 }).note).toBe('number > 0')
    expect(one({ type: ['string', 'null'], format: 'date-time' }).note).toBe('date-time | null')
    expect(one({ enum: ['C', 'F', 'K'] }).note).toBe('enum 3')
    expect(one({ type: 'array', items: { enum: ['a', 'b'] } }).note).toBe('array of enum')
    expect(
      one({ type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 10, uniqueItems: true }).note,
    ).toBe('array 1…10 unique')
  })

  it('reads every spelling of nullable', () => {
    const spellings = [
      { type: ['integer', 'null'], minimum: 1 },
      { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      { oneOf: [{ type: 'null' }, { type: 'integer' }], description: 'outer' },
      { anyOf: [{ type: 'integer' }, { const: null }], default: null },
    ]
    for (const schema of spellings) {
      expect(one(schema)).toMatchObject({ nullable: true, shape: { type: 'number', integer: true } })
    }
    expect(one(spellings[2]).description).toBe('outer')
    expect(one({ enum: ['a', 'b', null] })).toMatchObject({ nullable: true, shape: { type: 'enum' } })
  })

  it('reads titled enums', () => {
    const titled = [
      { const: 'c', title: 'Celsius' },
      { const: 'f', title: 'Fahrenheit' },
    ]
    for (const schema of [{ oneOf: titled }, { type: 'string', anyOf: titled }]) {
      expect(one(schema).shape).toEqual({
        type: 'enum',
        options: [
          { label: 'Celsius', value: 'c' },
          { label: 'Fahrenheit', value: 'f' },
        ],
      })
    }
    expect(one({ type: 'array', items: { anyOf: titled } }).shape.type).toBe('choices')
    expect(one({ enum: ['c', 'f'], enumNames: ['Celsius', 'Fahrenheit'] }).shape).toMatchObject({
      options: [{ label: 'Celsius' }, { label: 'Fahrenheit' }],
    })
  })

  it('names variants by title, by the value that tells them apart, by reference, by type', () => {
    const schema = {
      $defs: { Point: { type: 'object', properties: { lat: { type: 'number' } } } },
      type: 'object',
      properties: {
        place: {
          oneOf: [
            { type: 'object', title: 'by name', properties: { city: { type: 'string' } } },
            { type: 'object', properties: { kind: { const: 'box' } } },
            { $ref: '#/$defs/Point' },
            { type: 'string' },
          ],
        },
      },
    }
    const shape = property(describeSchema(schema), 'place').shape
    expect(shape.type === 'variants' && shape.variants.map((variant) => variant.label)).toEqual([
      'by name',
      'box',
      'Point',
      'string',
    ])
    expect(shape.type === 'variants' && shape.variants[2]?.spec().ref).toBe('#/$defs/Point')
  })

  it('gives each variant the siblings of the keyword', () => {
    const spec = one({
      type: 'object',
      properties: { shared: { type: 'string' } },
      anyOf: [{ required: ['shared'] }, { properties: { other: { type: 'number' } } }],
    })
    if (spec.shape.type !== 'variants') throw new Error(spec.shape.type)
    const [first, second] = spec.shape.variants
    expect(first?.label).toBe('with shared')
    expect(second?.spec().shape).toMatchObject({ properties: [{ name: 'other' }, { name: 'shared' }] })
  })

  it('follows references into themselves only as far as it is asked', () => {
    const schema = {
      type: 'object',
      properties: { value: { type: 'string' }, child: { $ref: '#' } },
      required: ['child'],
    }
    const root = describeSchema(schema)
    const child = property(root, 'child')
    expect(child.ref).toBe('#')
    expect(property(property(child, 'child'), 'value').shape.type).toBe('string')
  })

  it('merges allOf, references beside it included', () => {
    const spec = describeSchema({
      $defs: {
        named: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        aged: { type: 'object', properties: { age: { type: 'integer', minimum: 0 } } },
      },
      allOf: [{ $ref: '#/$defs/named' }, { $ref: '#/$defs/aged' }, { properties: { age: { maximum: 120 } } }],
    })
    expect(property(spec, 'name').shape.type).toBe('string')
    expect(property(spec, 'age').note).toBe('integer 0…120')
  })

  it('falls back to JSON and says why', () => {
    const reasons = [
      [{ type: 'object', patternProperties: { '^x': {} } }, 'uses patternProperties: edit as JSON'],
      [
        { $ref: 'https://example.com/schema.json' },
        '$ref “https://example.com/schema.json” leaves this schema',
      ],
      [{ $ref: '#/$defs/none' }, '$ref “#/$defs/none” points at nothing'],
      [{ allOf: [{ const: 1 }, { const: 2 }] }, 'uses allOf whose parts do not combine'],
      [{ $ref: '#/properties/it' }, 'its references lead in a circle'],
      [{ type: 'decimal' }, 'has the unknown type “decimal”'],
      [{}, 'any JSON value'],
      [true, 'any JSON value'],
      [false, 'the schema allows no value here'],
    ] as const
    for (const [schema, reason] of reasons) expect(one(schema).shape).toEqual({ type: 'json', reason })
  })

  it('offers members beside the properties where the schema invites them', () => {
    const pairs = (schema: object): unknown => {
      const shape = describeSchema(schema).shape
      return shape.type === 'object' ? { ...shape.pairs, spec: shape.pairs.spec().shape.type } : shape
    }
    expect(pairs({ type: 'object', additionalProperties: { type: 'string' } })).toEqual({
      type: 'offered',
      spec: 'string',
    })
    expect(pairs({ type: 'object' })).toEqual({ type: 'offered', spec: 'json' })
    expect(pairs({ type: 'object', properties: { a: {} } })).toEqual({ type: 'shown', spec: 'json' })
    expect(pairs({ type: 'object', properties: { a: {} }, patternProperties: { '^x': {} } })).toMatchObject({
      reason: 'uses patternProperties: further members as JSON',
    })
  })

  it('takes anything for a schema', () => {
    for (const schema of [
      undefined,
      null,
      5,
      'text',
      [],
      { type: 'array' },
      { properties: 5, required: 5 },
    ]) {
      expect(() => describeSchema(schema)).not.toThrow()
    }
  })
})
