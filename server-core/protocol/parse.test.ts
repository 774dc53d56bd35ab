import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ErrorCode } from './errors.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import { parseFromClient, parseMessage } from './parse.ts'

const limits = { messageBytes: 1_000_000, depth: 20, members: 200 }
const encode = (text: string) => new TextEncoder().encode(text)
const nested = (depth: number) => encode('['.repeat(depth) + ']'.repeat(depth))

function codeOf(bytes: Uint8Array, bounds = limits): number | undefined {
  const parsed = parseMessage(bytes, bounds)
  return parsed.ok ? undefined : parsed.error.code
}

describe('parseMessage', () => {
  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const parsed = parseMessage(bytes, limits)
        if (!parsed.ok) expect([ErrorCode.parseError, ErrorCode.invalidRequest]).toContain(parsed.error.code)
      }),
      { numRuns: 2_000 },
    )
  })

  it('never throws on JSON that was damaged at one place', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.nat(255), (text, place, byte) => {
        const bytes = encode(text)
        bytes[place % bytes.length] = byte
        parseMessage(bytes, limits)
      }),
    )
  })

  it('gives what JSON.parse gives for any JSON within the bounds', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(parseMessage(encode(text), DEFAULT_LIMITS)).toEqual({ ok: true, value: JSON.parse(text) })
      }),
    )
  })

  it('does not take brackets, commas and escaped quotes inside strings for structure', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('[', '{', ',', '"', '\\', 'é', '𝄞', '\u2028')), (parts) => {
        const value = { text: parts.join('').repeat(20) }
        expect(parseMessage(encode(JSON.stringify(value)), limits)).toEqual({ ok: true, value })
      }),
    )
  })

  it('reads nesting up to the bound and refuses one more', () => {
    expect(codeOf(nested(limits.depth))).toBeUndefined()
    expect(codeOf(nested(limits.depth + 1))).toBe(ErrorCode.invalidRequest)
    expect(codeOf(nested(400_000))).toBe(ErrorCode.invalidRequest)
  })

  it('refuses a text with too many members, wherever they are', () => {
    expect(codeOf(encode(JSON.stringify(Array.from({ length: 190 }, () => 1))))).toBeUndefined()
    expect(codeOf(encode(JSON.stringify(Array.from({ length: 300 }, () => 1))))).toBe(
      ErrorCode.invalidRequest,
    )
    const objects = JSON.stringify(Array.from({ length: 120 }, () => ({})))
    expect(codeOf(encode(objects))).toBe(ErrorCode.invalidRequest)
  })

  it('refuses a message over the bound of bytes and names the bound', () => {
    const parsed = parseMessage(new Uint8Array(1_001), { ...limits, messageBytes: 1_000 })
    expect(parsed).toMatchObject({ ok: false, error: { message: expect.stringContaining('messageBytes') } })
  })

  it('ignores a leading byte order mark and keeps U+2028 and U+2029 in strings', () => {
    expect(parseMessage(encode('\uFEFF{"a":"\u2028\u2029"}'), limits)).toEqual({
      ok: true,
      value: { a: '\u2028\u2029' },
    })
  })

  it.each([
    ['a lone continuation byte', [0x22, 0x80, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['a cut code point', [0x22, 0xe2, 0x80, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ])('says that %s is not UTF-8', (_name, bytes) => {
    const parsed = parseMessage(Uint8Array.from(bytes), limits)
    expect(parsed).toMatchObject({
      ok: false,
      error: { code: ErrorCode.parseError, message: expect.stringContaining('UTF-8') },
    })
  })

  it('leaves __proto__ plain data', () => {
    parseMessage(encode('{"__proto__":{"polluted":true}}'), limits)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('says that an empty message is empty', () => {
    expect(parseMessage(new Uint8Array(), limits)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('empty') },
    })
  })
})

describe('parseFromClient', () => {
  const limits = { messageBytes: 10_000, depth: 256, members: 10_000, keys: 3 }
  const read = (text: string) => parseFromClient(Buffer.from(text), limits)

  it('bounds the members of all objects together, whatever strings hold', () => {
    expect(read('{"a":1,"b":[{"c":":::: \\": :"}]}')).toMatchObject({ ok: true })
    expect(read('{"a":1,"b":[{"c":1},{"d":2}]}')).toMatchObject({
      ok: false,
      error: { code: -32600, data: { limit: 'keys', value: 3 } },
    })
    expect(parseMessage(Buffer.from('{"a":1,"b":1,"c":1,"d":1}'), limits)).toMatchObject({ ok: true })
  })
})
