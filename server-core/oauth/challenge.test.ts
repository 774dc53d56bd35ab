import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { challengeOf, readAuthenticate } from './challenge.ts'

const token = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,8}$/)
const value = fc.string({
  unit: fc.constantFrom('a', ' ', ',', '=', '"', '\\', '/', ':', 'ü'),
  maxLength: 12,
})
const challenge = fc.record({
  scheme: token,
  parameters: fc.uniqueArray(fc.tuple(token, value), {
    selector: ([name]) => name.toLowerCase(),
    maxLength: 4,
  }),
})
const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`

describe('WWW-Authenticate', () => {
  it('is read as it was written, however many challenges there are', () => {
    fc.assert(
      fc.property(fc.array(challenge, { minLength: 1, maxLength: 4 }), (challenges) => {
        const header = challenges
          .map(
            ({ scheme, parameters }) =>
              `${scheme} ${parameters.map(([n, v]) => `${n}=${quoted(v)}`).join(', ')}`,
          )
          .join(', ')
        expect(readAuthenticate(header)).toEqual(
          challenges.map(({ scheme, parameters }) => ({
            scheme: scheme.toLowerCase(),
            parameters: Object.fromEntries(parameters.map(([name, text]) => [name.toLowerCase(), text])),
          })),
        )
      }),
    )
  })

  it('never throws, and takes no longer for more', () => {
    fc.assert(fc.property(fc.string({ maxLength: 400 }), (text) => Array.isArray(readAuthenticate(text))))
    expect(readAuthenticate('"'.repeat(1_000_000))).toEqual([])
    expect(readAuthenticate('a="'.repeat(1_000_000)).length).toBeLessThan(2)
  })

  it.each([
    ['Bearer', {}],
    ['Negotiate abc==, Bearer scope="a  b ", error=invalid_token', { scope: 'a  b', error: 'invalid_token' }],
    [
      'Basic realm="x, y", DPoP algs="ES256", error="use_dpop_nonce"',
      { scheme: 'dpop', error: 'use_dpop_nonce' },
    ],
    [
      'DPoP algs="ES256", Bearer resource_metadata="https://a.example/m?x=1,2"',
      { resourceMetadata: 'https://a.example/m?x=1,2' },
    ],
    ['Bearer scope=""', {}],
    ['', {}],
  ])('%s asks for %j', (header, expected) => {
    expect(challengeOf({ 'www-authenticate': header })).toEqual({ scheme: 'bearer', ...expected })
  })
})
