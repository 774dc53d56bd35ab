import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeHeaderValue, encodeHeaderValue } from './header-value.ts'

describe('header values of 2026-07-28', () => {
  it('reads back every text it writes, as visible ASCII, padded or not', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const value = encodeHeaderValue(text)
        expect(value).toMatch(/^[\x20-\x7e]+$/)
        expect(decodeHeaderValue(`  ${value}\t`)).toEqual({ ok: true, value: text })
      }),
    )
  })

  it('never throws on any value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        decodeHeaderValue(text)
        decodeHeaderValue(`=?base64?${text}?=`)
      }),
    )
  })

  it('keeps visible ASCII with inner spaces plain', () => {
    expect(encodeHeaderValue('get weather')).toBe('get weather')
    expect(encodeHeaderValue('file:///a%20b')).toBe('file:///a%20b')
  })

  it.each(['', ' edge', 'edge ', 'a\tb', 'a\nb', 'é', '🌦', '=?base64?x?='])('encodes %j', (text) => {
    expect(encodeHeaderValue(text)).toMatch(/^=\?base64\?[A-Za-z0-9+/=]*\?=$/)
  })

  it('takes half a marker for plain text', () => {
    expect(decodeHeaderValue('=?base64?SGVsbG8=')).toEqual({ ok: true, value: '=?base64?SGVsbG8=' })
    expect(decodeHeaderValue('SGVsbG8=?=')).toEqual({ ok: true, value: 'SGVsbG8=?=' })
    expect(decodeHeaderValue('=?base64?=')).toEqual({ ok: true, value: '=?base64?=' })
  })

  it.each(['=?base64?SGVsbG8?=', '=?base64?SGV$bG8=?=', '=?base64?gA==?='])('refuses %s', (value) => {
    expect(decodeHeaderValue(value).ok).toBe(false)
  })
})
