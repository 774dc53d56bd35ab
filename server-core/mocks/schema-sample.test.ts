import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, it } from 'vitest'
import { sampleOf } from './schema-sample.ts'

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)

const SCHEMAS: Readonly<Record<string, object>> = {
  object: {
    type: 'object',
    properties: {
      city: { type: 'string', minLength: 3 },
      highs: { type: 'array', items: { type: 'number', exclusiveMinimum: 2 } },
      when: { type: 'string', format: 'date-time' },
      unit: { enum: ['C', 'F'] },
      n: { type: 'integer', minimum: 1.5, multipleOf: 3 },
    },
    required: ['city', 'highs'],
  },
  recursive: {
    $defs: {
      node: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
        },
        required: ['name', 'next'],
      },
    },
    $ref: '#/$defs/node',
  },
  allOf: {
    allOf: [
      { type: 'object', properties: { a: { const: 1 } }, required: ['a'] },
      { properties: { b: { type: ['null', 'boolean'] } }, required: ['b'] },
    ],
  },
  tuple: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer', maximum: -4 }], minItems: 3 },
  below: { type: 'number', exclusiveMaximum: 0 },
  choice: { oneOf: [{ type: 'object', required: ['x'], properties: { x: { default: 4 } } }] },
}

it.each(Object.keys(SCHEMAS))('makes a value that fits: %s', (name) => {
  const schema = SCHEMAS[name] ?? {}
  const value = sampleOf({ ...schema })
  expect(ajv.validate(schema, value), JSON.stringify({ value, errors: ajv.errors })).toBe(true)
})

it('takes examples and defaults before anything it would make up', () => {
  expect(sampleOf({ type: 'string', examples: ['Bergen'] })).toBe('Bergen')
  expect(sampleOf({ type: 'integer', default: 7 })).toBe(7)
})
