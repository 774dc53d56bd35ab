import fc from 'fast-check'

/** Schemas of every kind a form knows, nested a little, for tests that must hold for all of them. */
export const anySchema: fc.Arbitrary<unknown> = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<unknown>(
      { type: 'string' },
      { type: 'string', format: 'date-time' },
      { type: 'integer', minimum: 0 },
      { type: 'number', default: 1.5 },
      { type: 'boolean' },
      { type: ['string', 'null'] },
      { type: ['string', 'number', 'null'] },
      { const: 'fixed' },
      { enum: ['a', 'b', 1, null] },
      { oneOf: [{ const: 'c', title: 'Celsius' }, { const: 'f' }] },
      { type: 'array', items: { enum: ['a', 'b', 'c'] } },
      { $ref: '#' },
      {},
      true,
      false,
    ),
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'kind', '__proto__'), tie('schema'), {
        maxKeys: 3,
      }),
      required: fc.subarray(['a', 'b', 'c']),
      additionalProperties: fc.constantFrom<unknown>(undefined, true, false, { type: 'string' }),
    }),
    fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(2) }),
    fc.record({ prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }), items: tie('schema') }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({
      oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
      type: fc.constant('object'),
    }),
    fc.record({ allOf: fc.array(tie('schema'), { maxLength: 2 }) }),
  ),
})).schema

/** JSON text with the values that are easily lost: big integers, odd spellings, empty keys, carriage returns. */
export const anyJsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(
      'null',
      'true',
      'false',
      '9007199254740993',
      '1.0',
      '1e400',
      '-0',
      '0.1',
      '"a"',
      '"b"',
      '""',
    ),
    fc.string().map((text) => JSON.stringify(text)),
    fc.constant(JSON.stringify('with\r\nreturn')),
    fc.integer().map(String),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .dictionary(fc.constantFrom('a', 'b', 'c', 'kind', '', '__proto__', '1'), tie('value'), { maxKeys: 4 })
      .map((members) => {
        const texts = Object.entries(members).map(([name, text]) => `${JSON.stringify(name)}:${text}`)
        return `{${texts.join(',')}}`
      }),
  ),
})).value
