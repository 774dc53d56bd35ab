import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { visibleLine, visibleText } from './visible-text.ts'

describe('visibleText', () => {
  it.each([
    ['red', '\u001b[31mred\u001b[0m', 'red'],
    ['a hyperlink', '\u001b]8;;https://example.com\u0007here\u001b]8;;\u001b\\', 'here'],
    ['an eight-bit sequence', '\u009b2Jgone', 'gone'],
    ['an unfinished sequence keeps its text', '\u001b]0;title without an end', '0;title without an end'],
    ['direction marks', 'abc\u202egnp.exe', 'abc⟨U+202E⟩gnp.exe'],
    ['tag characters', 'hi\u{e0041}\u{e0042}', 'hi⟨U+E0041⟩⟨U+E0042⟩'],
    ['zero width', 'pass\u200bword\ufeff', 'pass⟨U+200B⟩word⟨U+FEFF⟩'],
    ['a control', 'a\u0000b\u0007', 'a⟨U+0000⟩b⟨U+0007⟩'],
    ['a lone surrogate', 'a\ud800b', 'a⟨U+D800⟩b'],
    ['lines and tabs', 'a\n\tb\r\n', 'a\n\tb\r\n'],
    ['a carriage return that overwrites its line', 'failed\rdone\r\r\n', 'failed⟨U+000D⟩done⟨U+000D⟩\r\n'],
    ['an emoji family', '👩‍👩‍👧 ❤️‍🔥', '👩‍👩‍👧 ❤️‍🔥'],
    ['a joiner between letters', 'a\u200db', 'a⟨U+200D⟩b'],
    ['other scripts', 'naïve 日本語 العربية', 'naïve 日本語 العربية'],
  ])('%s', (_name, text, expected) => {
    expect(visibleText(text)).toBe(expected)
  })

  it('is linear in sequences that never end', () => {
    // In a time that grows faster this would not end.
    expect(visibleText('\u009d\u001b]\u0090'.repeat(100_000))).not.toContain('\u009d')
  })

  it('leaves no control and no separator but line ends and tabs, wherever they are', () => {
    const codes = [...Array(0x20).keys(), ...Array.from({ length: 0x21 }, (_each, place) => 0x7f + place)]
    for (const code of [...codes, 0x2028, 0x2029]) {
      const character = String.fromCharCode(code)
      for (const text of [
        character,
        `a${character}b`,
        `a${character}`,
        `${character}\n`,
        `\r${character}a`,
      ]) {
        const visible = visibleText(text).replaceAll('\r\n', '\n')
        expect([text, visible.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/u)]).toEqual([
          text,
          null,
        ])
      }
    }
  })

  it('leaves nothing hidden in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const visible = visibleText(text)
        expect(visible).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\u{e0000}-\u{e007f}]/u)
        expect(visible.includes('\u001b')).toBe(false)
        expect(visible).not.toMatch(/\r(?!\n)/)
      }),
    )
  })
})

describe('visibleLine', () => {
  it('is one line of at most the given length', () => {
    expect(visibleLine('  two\n\tlines ', 200)).toBe('two lines')
    expect(visibleLine('failed\rdone', 200)).toBe('failed done')
    expect(visibleLine('abcdef', 4)).toBe('abc…')
    expect(visibleLine('abcd', 4)).toBe('abcd')
    expect(visibleLine('😀'.repeat(4), 4)).toBe('😀'.repeat(4))
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3_000 }), (text) => {
        const line = visibleLine(text, 200)
        expect(Array.from(line).length).toBeLessThanOrEqual(200)
        expect(line).not.toMatch(/[\n\r\t]/)
      }),
    )
  })
})
