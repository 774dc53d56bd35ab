import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { effortOf } from '../../protocol/patterns/pattern-effort.ts'
import { Validators } from './validators.ts'

async function problem(property: object, value: unknown): Promise<string | undefined> {
  const schema = { type: 'object', properties: { a: property } }
  return (await new Validators().check(schema, 'the test'))({ a: value })
}

describe('patterns that backtrack', () => {
  const endless = `${'a'.repeat(40)}!`

  it.each([
    ['look-ahead', '^(?=a)(a+)+$', endless],
    ['a back-reference', '^(a+)+\\1$', endless],
    ['too large for the linear engine', '^(a{1,100}){1,100}$', endless],
  ])('end their check: %s', async (_what, pattern, text) => {
    expect(await problem({ type: 'string', pattern }, text)).toContain('longer than 250 ms')
  })

  it.each([
    ['nested repetition', '^(a+)+$', endless],
    ['a repeated choice', '^(a|a)*$', endless],
    ['counted repetition', '^(a{1,30}){1,30}$', endless],
    ['a long text for an open beginning', 'a+$', `${'a'.repeat(1_000_000)}!`],
    ['several repetitions of the same', '^a*a*a*a*$', `${'a'.repeat(10_000)}!`],
  ])('are decided by the linear engine: %s', async (_what, pattern, text) => {
    expect(await problem({ type: 'string', pattern }, text)).toBe(`/a must match pattern "${pattern}"`)
    expect(await problem({ propertyNames: { pattern } }, { [text]: 1 })).toContain('must match pattern')
    expect(await problem({ patternProperties: { [pattern]: false } }, { [text]: 1 })).toBeUndefined()
    expect(await problem({ pattern: `^!$|${pattern}` }, '!')).toBeUndefined()
  })

  it('end it together: many short texts are one check', async () => {
    const schema = { type: 'array', items: { pattern: '^(?=a)(a+)+$' } }
    expect(await problem(schema, Array(10_000).fill(`${'a'.repeat(20)}!`))).toBeDefined()
    const names = { patternProperties: { '^(?=a)(a+)+$': false } }
    expect(await problem(names, { [endless]: 1 })).toContain('longer than 250 ms')
  })

  it('keep two patterns of one schema apart', async () => {
    const check = await new Validators().check(
      { properties: { a: { pattern: '^(a+)+$' }, b: { pattern: '^(b+)+$' } } },
      'the test',
    )
    const [a, b] = ['a'.repeat(2_000), 'b'.repeat(2_000)]
    expect(await check({ a, b })).toBeUndefined()
    expect(await check({ a: `${a}!`, b })).toContain('/a must match pattern "^(a+)+$"')
    expect(await check({ a, b: a })).toContain('/b must match')
  })

  it('end it in formats too', async () => {
    expect(await problem({ format: 'url' }, `http://${'::'.repeat(20_000)}!`)).toContain('longer than 250 ms')
    expect(await problem({ format: 'url' }, 'http://a.example/')).toBeUndefined()
    expect(await problem({ format: 'url' }, 'nowhere')).toContain('/a')
    expect(await problem({ format: 'date-time' }, '2020-01-01T00:00:00Z')).toBeUndefined()
  })

  it('are checked as ever where they find an end', async () => {
    expect(await problem({ pattern: '^(a+)+$' }, 'a'.repeat(10_000))).toBeUndefined()
    expect(await problem({ pattern: '^(a+)+$' }, 'ab')).toContain('/a')
    expect(await problem({ pattern: '^[a-z]+(-[a-z]+)*$' }, 'a-b-c')).toBeUndefined()
    expect(await problem({ pattern: '^.$' }, '😀')).toBeUndefined()
    expect(await problem({ items: { pattern: '^x?$' } }, Array(100_000).fill('x'))).toBeUndefined()
  })
})

describe('effortOf', () => {
  it.each([
    ['^abc$', { fixed: 1, power: 1 }],
    ['abc', { fixed: 1, power: 2 }],
    ['^[a-z)(*|]+$', { fixed: 1, power: 2 }],
    ['^\\d{4}-\\d{2}$', { fixed: 1, power: 1 }],
    ['^\\u{61}\\p{L}*?$', { fixed: 1, power: 2 }],
    ['^[a-z]{1,64}(?:x*)?$', { fixed: 128, power: 2 }],
    ['^(?<n>a|b)$', { fixed: 2, power: 1 }],
    ['^a|b$', { fixed: 2, power: 2 }],
    ['^(?:ab){3,}$', { fixed: 1, power: 2 }],
    ['^(?:(a+)b)+$', undefined],
    ['^(?:a|b){2}$', undefined],
    ['^((a?))*$', undefined],
    ['^a?a?a?$', { fixed: 8, power: 1 }],
  ])('of %s', (pattern, effort) => {
    expect(effortOf(pattern)).toEqual(effort)
  })

  it('reads whatever is a pattern', () => {
    const part = fc.constantFrom(
      'a',
      '(',
      ')',
      '(?:',
      '(?=',
      '[',
      ']',
      '\\',
      '|',
      '*',
      '+?',
      '{2}',
      '{1,3}',
      '^',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const source = parts.join('')
        expect(() => effortOf(source)).not.toThrow()
      }),
    )
  })
})
