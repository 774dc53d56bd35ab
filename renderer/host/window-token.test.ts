import { describe, expect, it } from 'vitest'
import { takeWindowToken } from './window-token.ts'

function places(hash: string, stored: Record<string, string> = {}) {
  const addresses: string[] = []
  return {
    addresses,
    stored,
    location: { hash, pathname: '/', search: '?a=1' },
    history: { replaceState: (_data: unknown, _unused: string, url: string) => void addresses.push(url) },
    sessionStorage: {
      getItem: (key: string) => stored[key] ?? null,
      setItem: (key: string, value: string) => {
        stored[key] = value
      },
    },
  }
}

describe('takeWindowToken', () => {
  it('takes the token out of the address and keeps it for a reload', () => {
    const first = places('#token=abc')
    expect(takeWindowToken(first)).toBe('abc')
    expect(first.addresses).toEqual(['/?a=1'])
    expect(takeWindowToken(places('', first.stored))).toBe('abc')
  })

  it('has none when the address never had one', () => {
    expect(takeWindowToken(places(''))).toBeUndefined()
    expect(takeWindowToken(places('#token='))).toBeUndefined()
  })
})
