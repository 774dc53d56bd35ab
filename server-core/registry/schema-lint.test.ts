import fc from 'fast-check'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { isJsonObject, type JsonSchema } from '../protocol/json.ts'
import { Registry } from './registry.ts'
import { schemaDefect } from './schema-lint.ts'

describe('a schema', () => {
  it.each<[JsonSchema]>([
    [{}],
    [{ type: ['string', 'null'], enum: ['a', null] }],
    [
      {
        type: 'object',
        properties: { a: true, b: { $ref: '#' } },
        required: ['a'],
        additionalProperties: false,
      },
    ],
    [{ $defs: { 'a/b~c': { type: 'string' } }, items: { $ref: '#/$defs/a~1b~0c' } }],
    [{ definitions: { x: {} }, $ref: '#/definitions/x' }],
    [{ properties: { list: { items: {} }, copy: { $ref: '#/properties/list/items' } } }],
    [{ anyOf: [{ $anchor: 'here' }, { $ref: '#here' }] }],
    [{ $id: 'https://example.org/a', $ref: 'b' }],
    [{ pattern: '^\\p{L}+$', patternProperties: { '^x-': { minLength: 1 } } }],
    [{ items: [{ type: 'string' }, false], prefixItems: [{}], contains: {}, minContains: 0 }],
    [{ $schema: 'http://json-schema.org/draft-07/schema#' }],
    [{ $schema: 'https://json-schema.org/draft/2019-09/schema' }],
    [{ 'x-of-my-own': { type: 'nonsense' }, default: { type: 1 }, const: { $ref: 7 } }],
  ])('%j is one', (schema) => {
    expect(schemaDefect(schema)).toBeUndefined()
  })

  it.each<[JsonSchema, string]>([
    [{ type: 'strng' }, '/type is "strng"; expected a JSON type'],
    [{ type: [] }, '/type is []'],
    [{ properties: { a: 'text' } }, '/properties/a is "text"; expected a schema: an object, true or false'],
    [{ properties: [] }, '/properties is []; expected an object of schemas'],
    [{ required: 'a' }, '/required is "a"; expected a list of names'],
    [{ properties: { a: { required: true } } }, '/properties/a/required is true'],
    [{ enum: [] }, '/enum is []; expected a list of values'],
    [{ items: { pattern: '(' } }, '/items/pattern is "("; expected a regular expression'],
    [
      { patternProperties: { '[': {} } },
      '/patternProperties/[ is "["; expected a name that is a regular expression',
    ],
    [{ anyOf: {} }, '/anyOf is {}; expected a list of schemas'],
    [{ oneOf: [{ type: 'number' }, 7] }, '/oneOf/1 is 7; expected a schema'],
    [{ minLength: -1 }, '/minLength is -1; expected a whole number from 0'],
    [{ maximum: '9' }, '/maximum is "9"; expected a number'],
    [{ exclusiveMinimum: true }, '/exclusiveMinimum is true; expected a number'],
    [{ $ref: '#/$defs/gone' }, '/$ref is "#/$defs/gone", and there is nothing at that place'],
    [{ $ref: 'https://example.org/x' }, 'which leaves the document; nothing is fetched'],
    [
      { $schema: 'http://json-schema.org/draft-04/schema#' },
      '/$schema is "http://json-schema.org/draft-04/schema#"; expected one of https://json-schema.org/draft/2020-12/schema',
    ],
    [{ $schema: 7 }, '/$schema is 7'],
    [{ $ref: 7 }, '/$ref is 7; expected a reference'],
    [{ enum: 'x'.repeat(500) }, `/enum is "${'x'.repeat(99)}…; expected`],
  ])('%j is rejected with the place and the reason', (schema, defect) => {
    expect(schemaDefect(schema)).toContain(defect)
  })

  it('of an unknown dialect is refused when its tool is registered', () => {
    const input = { $schema: 'x:y', type: 'object' }
    expect(() => new Registry().addTool({ name: 'odd', input, run: () => '' })).toThrow(
      'The JSON Schema of the input of tool "odd" cannot be used: /$schema is "x:y"; expected one of',
    )
  })

  it('has bounds in depth and number', () => {
    let deep: JsonSchema = {}
    for (let level = 0; level < 100; level += 1) deep = { not: deep }
    expect(schemaDefect(deep)).toBe('it is nested deeper than 64 schemas')
    const wide = { anyOf: Array.from({ length: 20_000 }, () => ({})) }
    expect(schemaDefect(wide)).toBe('it has more than 10000 schemas in it')
  })

  it('that a validator compiles is never called defective', () => {
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.record(
          {
            type: fc.constantFrom('string', 'object', 'array', 'strng', 7),
            properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), {
              maxKeys: 2,
              noNullPrototype: true,
            }),
            required: fc.constantFrom(['a'], 'a', [1]),
            items: tie('schema'),
            anyOf: fc.array(tie('schema'), { maxLength: 2 }),
            minLength: fc.constantFrom(1, -1, 1.5, '1'),
            pattern: fc.constantFrom('a+', '('),
            $ref: fc.constantFrom('#', '#/nowhere'),
          },
          { requiredKeys: [], noNullPrototype: true },
        ),
        fc.boolean(),
      ),
    }))
    const ajv = new Ajv2020({ strict: false, logger: false, addUsedSchema: false })
    fc.assert(
      fc.property(schema, (candidate) => {
        if (!isJsonObject(candidate)) return
        let compiles = true
        try {
          ajv.compile(candidate)
        } catch {
          compiles = false
        }
        ajv.removeSchema(candidate)
        // It may pass what a validator refuses; what works must never be refused.
        if (compiles) expect(schemaDefect(candidate)).toBeUndefined()
      }),
      { numRuns: 200 },
    )
  })
})
