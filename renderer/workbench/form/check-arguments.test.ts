import { describe, expect, it } from 'vitest'
import { ArgumentsChecker } from './check-arguments.ts'
import type { Finding } from './finding-message.ts'

function findings(schema: unknown, value: unknown): readonly Finding[] {
  const check = new ArgumentsChecker(schema).check(JSON.stringify(value))
  if (check.state === 'not-checked') throw new Error(check.reason)
  return check.state === 'valid' ? [] : check.findings
}

describe('ArgumentsChecker', () => {
  it('says what is wrong at its place', () => {
    const schema = {
      type: 'object',
      properties: {
        days: { type: 'integer', maximum: 7 },
        city: { type: 'string', minLength: 2 },
        tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
        at: { $ref: '#/$defs/point' },
      },
      required: ['city', 'days'],
      additionalProperties: false,
      $defs: { point: { type: 'object', properties: { lat: { type: 'number', maximum: 90 } } } },
    }
    expect(findings(schema, { days: 9, tags: ['a', 'b', 'a'], at: { lat: 159.91 }, extra: 1 })).toEqual([
      { pointer: '/city', message: '“city” is required', isMissing: true },
      { pointer: '/days', message: '9 is above the maximum 7' },
      { pointer: '/tags', message: 'Item 2 repeats item 0' },
      { pointer: '/at/lat', message: '159.91 is above the maximum 90' },
      { pointer: '/extra', message: 'the schema has no member “extra”' },
    ])
    expect(findings(schema, { days: '5', city: 'O' })).toEqual([
      { pointer: '/days', message: 'is a string, expected integer' },
      { pointer: '/city', message: 'has 1 characters, fewer than the minimum 2' },
    ])
  })

  it('names only the nearest variant', () => {
    const schema = {
      oneOf: [
        {
          type: 'object',
          properties: { kind: { const: 'name' }, city: { type: 'string' } },
          required: ['city'],
        },
        {
          type: 'object',
          properties: { kind: { const: 'point' }, lat: { type: 'number' } },
          required: ['lat'],
        },
      ],
    }
    expect(findings(schema, { kind: 'point', lat: 'far' })).toEqual([
      { pointer: '/lat', message: 'is a string, expected number' },
    ])
    const nullable = { anyOf: [{ type: 'string', minLength: 3 }, { type: 'null' }] }
    expect(findings(nullable, 'ab')).toEqual([
      { pointer: '', message: 'has 2 characters, fewer than the minimum 3' },
    ])
    expect(findings({ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 5)).toEqual([
      { pointer: '', message: 'fits more than one variant, must fit exactly one' },
    ])
  })

  it('says so when it cannot check', () => {
    const check = (schema: unknown): unknown => new ArgumentsChecker(schema).check('{}')
    expect(check({ $schema: 'https://example.com/mine' })).toEqual({
      state: 'not-checked',
      reason: "the schema's dialect is not known: https://example.com/mine",
    })
    expect(check({ $ref: '#/$defs/none' })).toMatchObject({ state: 'not-checked' })
    expect(check({ properties: { a: { pattern: '(' } } })).toEqual({ state: 'valid' })
    expect(check({ $schema: 'http://json-schema.org/draft-07/schema#', required: ['a'] })).toMatchObject({
      state: 'invalid',
    })
  })

  it('leaves the schema as it is', () => {
    const schema = Object.freeze({ type: 'object', properties: Object.freeze({ a: Object.freeze({}) }) })
    expect(() => new ArgumentsChecker(schema).check('{"a":1}')).not.toThrow()
  })
})
