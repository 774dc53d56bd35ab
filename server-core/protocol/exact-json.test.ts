import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExactNumber, parseExact, stringifyExact } from './exact-json.ts'

const digits = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength })

/** Any JSON number as text. */
const numberText = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: digits(1, 40).map((text) => text.replace(/^0+(?=\d)/, '')),
    fraction: fc.option(digits(1, 30), { nil: undefined }),
    exponent: fc.option(
      fc.record({ e: fc.constantFrom('e', 'E'), sign: fc.constantFrom('', '+', '-'), digits: digits(1, 4) }),
      { nil: undefined },
    ),
  })
  .map(({ sign, whole, fraction, exponent }) => {
    const tail = exponent === undefined ? '' : `${exponent.e}${exponent.sign}${exponent.digits}`
    return `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${tail}`
  })

describe('parseExact and stringifyExact', () => {
  it('bring every number back as it was typed when the text is to be kept', () => {
    fc.assert(
      fc.property(fc.array(numberText, { maxLength: 6 }), (numbers) => {
        const text = `{"list":[${numbers.join(',')}],"text":"1.0 and 12345678901234567890"}`
        expect(stringifyExact(parseExact(text, 'text'))).toBe(text)
        // Whoever serialises with JSON.stringify loses nothing either.
        expect(JSON.stringify(parseExact(text, 'text'))).toBe(text)
      }),
      { numRuns: 2_000 },
    )
  })

  it('keep the value of every number, and plain doubles wherever one holds it', () => {
    fc.assert(
      fc.property(numberText, (source) => {
        const parsed = parseExact(source)
        if (parsed instanceof ExactNumber) {
          expect(parsed.source).toBe(source)
          expect(stringifyExact([parsed])).toBe(`[${source}]`)
        } else {
          expect(parsed).toBe(Number(source))
        }
        const again = parseExact(stringifyExact(parsed))
        expect(String(again)).toBe(String(parsed))
      }),
      { numRuns: 2_000 },
    )
  })

  it('give back any double as a plain number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(parseExact(JSON.stringify(value))).toBe(value === 0 ? 0 : value)
      }),
    )
  })

  it('agree with JSON.parse on everything that holds no such number', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const plain = JSON.parse(text) as unknown
        expect(JSON.parse(stringifyExact(parseExact(text, 'text')))).toEqual(plain)
        expect(JSON.parse(stringifyExact(parseExact(text)))).toEqual(plain)
      }),
    )
  })

  it.each([
    '12345678901234567890',
    '9007199254740993',
    '0.1234567890123456789',
    '1e400',
    '-1e-400',
    '123456789.12345678901',
  ])('keeps %s, which a double cannot hold', (source) => {
    const parsed = parseExact(`{"n":${source}}`) as { n: ExactNumber }
    expect(parsed.n).toBeInstanceOf(ExactNumber)
    expect(String(parsed.n)).toBe(source)
    expect(stringifyExact(parsed)).toBe(`{"n":${source}}`)
  })

  it.each([
    '1.0',
    '1e5',
    '1000000000000000000000',
    '9007199254740992',
    '0.10',
    '1.5e300',
    '-0',
    '0e999999999999',
  ])('reads %s as a plain number, or as typed if asked', (source) => {
    expect(parseExact(source)).toBe(Number(source))
    expect(stringifyExact(parseExact(source, 'text'))).toBe(source)
  })

  it('keeps "__proto__" a plain member', () => {
    const parsed = parseExact('{"__proto__":{"x":12345678901234567890}}')
    expect(Object.keys(parsed as object)).toEqual(['__proto__'])
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  it('writes a bigint, rejects values that are not JSON', () => {
    expect(stringifyExact({ n: 12345678901234567890n })).toBe('{"n":12345678901234567890}')
    expect(stringifyExact({ n: new ExactNumber('1e400') }, 2)).toBe('{\n  "n": 1e400\n}')
    expect(() => stringifyExact(undefined)).toThrow(TypeError)
    expect(() => new ExactNumber('01')).toThrow('expected a JSON number, got 01')
    expect(() => parseExact('{"a":12345678901234567890')).toThrow(SyntaxError)
  })
})
