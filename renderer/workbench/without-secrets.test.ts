import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { argumentsText, newArguments, typeArguments } from './form/arguments-state.ts'
import { describeSchema } from './form/describe-schema.ts'
import { anyJsonText, anySchema } from './form/schema-arbitrary.test-support.ts'
import { textWithoutSecrets, withoutSecrets } from './without-secrets.ts'

describe('text that is stored', () => {
  it.each([
    ['{ "password": "hunter2", "city": "Oslo" }', '{ "password": "", "city": "Oslo" }'],
    ['{"apiKey":12345}', '{"apiKey":""}'],
    ['{"credentials":{"user":"u","a":["}"]},"n":1}', '{"credentials":{},"n":1}'],
    ['{"secrets": [["a"], "b"], "n": 1.0}', '{"secrets": [], "n": 1.0}'],
    ['{"pass\\u0077ord":"x"}', '{"pass\\u0077ord":""}'],
    // Not finished.
    ['{ "token": "abc', '{ "token": ""'],
    ['{ "token": ', '{ "token": '],
    ['{ "token": null, "secret": true', '{ "token": null, "secret": true'],
    ['{ "x": { "token": "a\\"b" ', '{ "x": { "token": "" '],
    ['{ "secret": { "a": "b', '{ "secret": {}'],
    ['{ "a": "x, "password": "hunter2", "n": 1 }', '{ "a": "x, "password": "", "n": 1 }'],
    ['{ "password": "hunter2\n  "city": "Oslo" }', '{ "password": ""\n  "city": "Oslo" }'],
    ['{ "json": "{\\"token\\": \\"abc\\", \\"n\\": 1}" }', '{ "json": "{\\"token\\": \\"\\", \\"n\\": 1}" }'],
    ['{ "secret": -1.5e3, "text": "my token: abc" }', '{ "secret": "", "text": "my token: abc" }'],
    ['password: hunter', 'password: hunter'],
  ])('%s is %s', (text, stored) => {
    expect(textWithoutSecrets(text)).toBe(stored)
  })

  it('has no secret, however much of it is typed, and stays JSON', () => {
    const named = fc.tuple(anyJsonText, fc.constantFrom('"s3cret"', '["s3cret"]', '{"a":"}s3cret"}'))
    fc.assert(
      fc.property(named, fc.nat(200), ([json, secret], length) => {
        const text = `{"before":${json},"password":${secret},"after":${json}}`
        expect(textWithoutSecrets(text.slice(0, length))).not.toContain('s3cret')
        const { password: _, ...rest } = JSON.parse(textWithoutSecrets(text)) as Record<string, unknown>
        expect(rest).toEqual({ before: JSON.parse(json) as unknown, after: JSON.parse(json) as unknown })
      }),
    )
  })
})

it('takes time in proportion to the text, whatever is in it', () => {
  for (const text of ['"', '"a" ', '\\"', '{"a":', '"pin":', ' ', ':', 'x'])
    expect(textWithoutSecrets(`{"b":"${text.repeat(500_000)}`).length).toBeGreaterThan(500_000)
})

describe('arguments that are stored', () => {
  it('have no value of a field whose name names a secret, in the form, its JSON and what was set aside', () => {
    const spec = describeSchema({
      type: 'object',
      properties: {
        password: { type: 'string' },
        login: { type: 'object', properties: { accessToken: { type: 'string' }, user: { type: 'string' } } },
        pin: { type: 'integer' },
        free: true,
      },
      additionalProperties: { type: 'string' },
    })
    const typed = typeArguments(
      spec,
      newArguments(spec),
      '{ "password": "hunter2", "login": { "accessToken": "hunter2", "user": "Ada" }, "pin": 4711, "free": { "secret": "hunter2" }, "apiKey": "hunter2" }',
    )
    const stored = withoutSecrets({ ...typed, setAside: '{ "secret": "hunter2' })
    expect(JSON.stringify(flat(stored))).not.toMatch(/hunter2|4711/)
    expect(argumentsText(spec, stored)).toContain('"user": "Ada"')
  })

  it('without such a field stay as they were', () => {
    fc.assert(
      fc.property(anySchema, anyJsonText, (schema, json) => {
        const spec = describeSchema(schema)
        const state = typeArguments(spec, newArguments(spec), `{"a":${json}}`)
        expect(withoutSecrets(state)).toEqual(state)
      }),
    )
  })
})

/** With maps as lists, which JSON can show. */
function flat(value: unknown): unknown {
  if (value instanceof Map) return Array.from(value, flat)
  if (Array.isArray(value)) return value.map(flat)
  if (typeof value !== 'object' || value === null) return value
  return Object.values(value).map(flat)
}
