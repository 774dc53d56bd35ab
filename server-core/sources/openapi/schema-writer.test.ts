import { describe, expect, it } from 'vitest'
import { isJsonObject } from '../../protocol/json.ts'
import { schemaDefect } from '../../registry/schema-lint.ts'
import { Documents } from './documents.ts'
import { SchemaWriter } from './schema-writer.ts'

const BASE = 'file:///w/a.json'

async function writer(schemas: Record<string, unknown>, is30: boolean, others: Record<string, unknown> = {}) {
  const texts: Record<string, unknown> = { [BASE]: { components: { schemas } }, ...others }
  const documents = await Documents.load(BASE, (uri) => Promise.resolve(JSON.stringify(texts[uri])))
  return new SchemaWriter(documents, is30, 'request')
}

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` })

describe('schemas of OpenAPI 3.0', () => {
  it.each<[string, unknown, unknown]>([
    ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    ['a nullable choice', { enum: ['a'], nullable: true }, { enum: ['a', null] }],
    [
      'a nullable combination',
      { allOf: [{ type: 'string' }], nullable: true, description: 'd' },
      { description: 'd', anyOf: [{ allOf: [{ type: 'string' }] }, { type: 'null' }] },
    ],
    [
      'exclusive bounds',
      { minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: false },
      { exclusiveMinimum: 1, maximum: 2 },
    ],
    ['an example', { type: 'string', example: 'x' }, { type: 'string', examples: ['x'] }],
    [
      'what only OpenAPI knows',
      { type: 'object', xml: {}, discriminator: {}, 'x-own': 1 },
      { type: 'object' },
    ],
    ['members beside a reference', { ...to('Text'), description: 'not seen' }, { type: 'string' }],
  ])('%s', async (_name, schema, expected) => {
    const written = (await writer({ Text: { type: 'string' } }, true)).write(schema, BASE)
    expect(written).toEqual(expected)
  })
})

describe('schemas of OpenAPI 3.1', () => {
  it('keep the siblings of a reference', async () => {
    const made = await writer({ Text: { type: 'string' } }, false)
    expect(made.write({ ...to('Text'), description: 'seen' }, BASE)).toEqual({
      type: 'string',
      description: 'seen',
    })
    expect(made.write({ ...to('Text'), minLength: 2 }, BASE)).toEqual({
      minLength: 2,
      allOf: [{ type: 'string' }],
    })
    expect(made.write({ type: ['string', 'null'], const: null, additionalProperties: false }, BASE)).toEqual({
      type: ['string', 'null'],
      const: null,
      additionalProperties: false,
    })
  })
})

describe('references', () => {
  it('of a cycle stay references, also across documents and with the same names', async () => {
    const other = 'file:///w/b.json'
    const made = await writer(
      { Node: { properties: { next: { $ref: 'b.json#/Node' } } }, List: { items: to('Node') } },
      false,
      { [other]: { Node: { properties: { back: { $ref: 'a.json#/components/schemas/Node' } } } } },
    )
    const written = made.write(to('List'), BASE)
    expect(written).toEqual({ items: { $ref: '#/$defs/Node' } })
    expect(made.defs).toEqual({
      Node: { properties: { next: { $ref: '#/$defs/Node_2' } } },
      Node_2: { properties: { back: { $ref: '#/$defs/Node' } } },
    })
    expect(schemaDefect({ ...written, $defs: made.defs })).toBeUndefined()
  })

  it('that would grow without end are written once', async () => {
    const schemas: Record<string, unknown> = { L0: { type: 'string' } }
    for (let at = 1; at <= 30; at += 1) {
      schemas[`L${at}`] = { properties: { a: to(`L${at - 1}`), b: to(`L${at - 1}`) } }
    }
    const made = await writer(schemas, false)
    const written = { ...made.write(to('L30'), BASE), $defs: made.defs }
    expect(JSON.stringify(written).length).toBeLessThan(200_000)
    expect(schemaDefect(written)).toBeUndefined()
  })

  it('that lead nowhere, or to nothing but themselves, are errors that say so', async () => {
    const made = await writer({ Loop: to('Loop') }, false)
    expect(() => made.write(to('None'), BASE)).toThrow(/"#\/components\/schemas\/None" leads nowhere.*"None"/)
    const written = made.write(to('Loop'), BASE)
    expect(written).toEqual({ $ref: '#/$defs/Loop' })
  })
})

it('leaves out of a request what is only read, and does not ask for it', async () => {
  const made = await writer({}, true)
  const written = made.write(
    { required: ['id', 'name'], properties: { id: { readOnly: true }, name: { type: 'string' } } },
    BASE,
  )
  expect(isJsonObject(written) && written).toEqual({
    required: ['name'],
    properties: { name: { type: 'string' } },
  })
})
