import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { backtracks, linearPattern, loadLinearEngine } from './linear-pattern.ts'

beforeAll(loadLinearEngine)

describe('linearPattern', () => {
  it.each([
    '^(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '(x+x+)+y',
    '^([a-zA-Z]+)*$',
    '^(.*a){20}$',
    '^(\\w+\\s?)*$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(.*)*(.*)*(.*)*=',
    '^(a?){30}a{30}$',
  ])('decides on a pattern that backtracks: %s', (source) => {
    expect(backtracks(source)).toBe(true)
    expect(linearPattern(source)?.test(`${'a'.repeat(100_000)}!`)).toBe(false)
    expect(linearPattern(source)?.test(`${'a'.repeat(40)}!`)).toBe(false)
  })

  it.each([
    '(?=a)b',
    '(?!a)b',
    '(?<=a)b',
    '(?<!a)b',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '(?:a{100}){100}',
    '\\ud800',
    'a\\B',
  ])('leaves to JavaScript what it cannot express: %s', (source) => {
    expect(() => new RegExp(source, 'u')).not.toThrow()
    expect(linearPattern(source)).toBeUndefined()
  })

  it('matches what JavaScript matches', () => {
    const char = fc.constantFrom(
      ...['a', 'b', 'A', '_', '-', '1', ' ', '\\.', '.', '\\/', '\\-', '😀', 'é', '\\t', '\\cJ', '\\0', ','],
      ...['\\x61', '\\u0061', '\\u{1f600}', '\\ud83d\\ude00', '\\d', '\\D', '\\w', '\\W', '\\s', '\\S'],
      ...['\\p{L}', '\\P{Lu}', '\\p{Nd}'],
    )
    const member = fc.constantFrom(
      ...[
        'a',
        'b',
        '-',
        'a-c',
        '0-9',
        '\\s',
        '\\S',
        '\\d',
        '\\W',
        '\\-',
        '\\]',
        '\\b',
        '.',
        '^',
        '[',
        '(',
        '😀-😂',
      ],
      ...['\\u{61}-\\x7a', '\\p{L}', ' ', '\\n', '$', '|', '*'],
    )
    const set = fc
      .tuple(fc.constantFrom('', '^'), fc.array(member, { maxLength: 4 }))
      .map(([not, members]) => `[${not}${members.join('')}]`)
    const { source } = fc.letrec<{ source: string; atom: string }>((tie) => ({
      atom: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        char,
        set,
        fc.constantFrom('^', '$', '\\b').map((at) => `(?:${at})`),
        fc
          .tuple(fc.constantFrom('(', '(?:', '(?<name>'), tie('source'))
          .map(([open, inner]) => `${open}${inner})`),
      ),
      source: fc
        .array(
          fc.tuple(
            tie('atom'),
            fc.constantFrom('', '', '', '?', '*', '+', '{2}', '{1,}', '{0,3}', '*?', '|'),
          ),
          { maxLength: 4 },
        )
        .map((parts) => parts.map((part) => part.join('')).join('')),
    }))
    const text = fc.oneof(
      fc
        .array(
          fc.constantFrom(...'aabbAcz_-1 .,/\t\n\r\v\u2028\u00a0\ufeff\0\b]^😀😁é', '\ud800', '\udc00'),
          {
            maxLength: 8,
          },
        )
        .map((chars) => chars.join('')),
      fc.string({ unit: 'binary', maxLength: 6 }),
    )
    let compared = 0
    fc.assert(
      fc.property(source, fc.array(text, { minLength: 1, maxLength: 6 }), (pattern, texts) => {
        const exact = compiled(pattern)
        const linear = exact && linearPattern(pattern)
        if (linear === undefined) return
        compared += 1
        for (const each of texts)
          expect([pattern, each, linear.test(each)]).toEqual([pattern, each, exact?.test(each)])
      }),
      { numRuns: 2_000 },
    )
    expect(compared).toBeGreaterThan(500)
  })
})

function compiled(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u')
  } catch {
    return undefined
  }
}
