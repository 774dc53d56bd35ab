import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hexOf, onOneLine, readHeaders, readHex } from './typed-bytes.ts'

describe('onOneLine', () => {
  it('takes away the layout and nothing of the message', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const value: unknown = JSON.parse(json)
        const line = onOneLine(JSON.stringify(value, null, 2))
        expect(line).not.toMatch(/[\r\n]/)
        expect(JSON.parse(line)).toEqual(value)
      }),
    )
  })

  it('keeps invalid JSON, and line breaks inside strings', () => {
    expect(onOneLine('{\n  "a": 1,\n  "a": 1.0\n')).toBe('{"a": 1,"a": 1.0')
    expect(onOneLine('"a\n b"')).toBe('"a\n b"')
  })
})

describe('readHex', () => {
  it('reads what hexOf writes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const read = readHex(hexOf(text))
        expect(read).toMatchObject({ ok: true })
        expect(read.ok && new TextDecoder().decode(Uint8Array.from(atob(read.base64), codeOf))).toBe(text)
      }),
    )
  })

  it('takes bytes that are not UTF-8, and says what it cannot read', () => {
    expect(readHex('ff FE\n00')).toEqual({ ok: true, base64: '//4A', bytes: 3 })
    expect(readHex('f')).toMatchObject({ ok: false, problem: 'the last byte has one digit; each has two' })
    expect(readHex('0x')).toMatchObject({ ok: false, problem: '“x” is not a hexadecimal digit' })
  })
})

describe('readHeaders', () => {
  it('sets headers, and leaves ours out', () => {
    expect(readHeaders('Mcp-Session-Id: abc\n- Accept\n\nX: ')).toEqual({
      ok: true,
      headers: { 'Mcp-Session-Id': 'abc', Accept: null, X: '' },
    })
    expect(readHeaders('what is this')).toMatchObject({ ok: false })
  })
})

function codeOf(character: string): number {
  return character.charCodeAt(0)
}
