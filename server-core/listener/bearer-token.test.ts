import { describe, expect, it } from 'vitest'
import { BearerTokens, tokenReader, type NamedToken } from './bearer-token.ts'

const ANN: NamedToken = { name: 'ann', token: 'a1' }
const BOB: NamedToken = { name: 'bob', token: 'b2' }
const admitted = (tokens: BearerTokens, token: string) => tokens.admit(`Bearer ${token}`)

describe('bearer tokens of a listener', () => {
  it('admit each as a caller of its own, with its name as principal', () => {
    const tokens = new BearerTokens(tokenReader([{ token: 'unnamed' }, ANN, BOB]))
    expect(admitted(tokens, 'a1')).toMatchObject({ principal: { issuer: 'patchbay', subject: 'ann' } })
    expect(admitted(tokens, 'b2')).toMatchObject({ principal: { subject: 'bob' } })
    expect(admitted(tokens, 'unnamed')).toEqual({ caller: expect.stringMatching(/^token /) })
    const callers = ['a1', 'b2', 'unnamed'].map((token) => JSON.stringify(admitted(tokens, token)))
    expect(new Set(callers).size).toBe(3)
    expect(callers.join()).not.toMatch(/a1"|b2"|unnamed"/)
  })

  it('refuse every other token, and none at all, without saying which there are', () => {
    const tokens = new BearerTokens(tokenReader([ANN, BOB]))
    for (const given of ['a', 'a11', 'ann:a1', 'b2 a1', '']) {
      expect(tokens.admit(`Bearer ${given}`)).toMatchObject({ status: 401 })
    }
    expect(tokens.admit(undefined)).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
    expect(tokens.admit('Basic a1')).toMatchObject({ status: 401 })
    expect(JSON.stringify(admitted(tokens, 'x'))).not.toMatch(/ann|bob|a1|b2/)
  })

  it('are read at each request: a change takes effect at once, and ends callers that are no longer admitted', () => {
    let now: readonly NamedToken[] | undefined = [ANN]
    const tokens = new BearerTokens(tokenReader(() => now))
    const ann = admitted(tokens, 'a1')
    const caller = 'caller' in ann ? ann.caller : ''
    expect(tokens.stillAdmits(caller)).toBe(true)
    now = [BOB]
    expect(tokens.stillAdmits(caller)).toBe(false)
    expect(admitted(tokens, 'a1')).toMatchObject({ status: 401 })
    expect(admitted(tokens, 'b2')).toHaveProperty('principal')
    now = [{ ...BOB, name: 'rob' }]
    expect(admitted(tokens, 'b2')).toMatchObject({ principal: { subject: 'rob' } })
    now = undefined
    expect(tokens.admit(undefined)).toEqual({ caller: 'anonymous' })
  })

  it('cannot be empty, or of another kind', () => {
    expect(() => tokenReader('')).toThrow('not empty')
    expect(() => tokenReader([{ name: 'ann', token: '' }])).toThrow('not empty')
    expect(() => tokenReader(5 as never)).toThrow('got number')
  })
})
