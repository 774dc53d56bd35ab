import { describe, expect, it } from 'vitest'
import { visiblePieces, visibleText } from './visible-text.ts'

describe('visibleText', () => {
  it('leaves ordinary text alone, in any script', () => {
    for (const text of ['plain', 'smörgåsbord', '日本語', 'a\tb\nc\r\nd', '👨‍👩‍👧 family', '❤️ heart']) {
      expect(visibleText(text)).toBe(text)
    }
  })

  it('shows what turns or hides text', () => {
    expect(visibleText('safe\u202Egpj.exe')).toBe('safe‹U+202E›gpj.exe')
    expect(visibleText('a\u200Bb')).toBe('a‹U+200B›b')
    expect(visibleText('a\u00A0b')).toBe('a‹U+00A0›b')
    expect(visibleText('\u{E0041}')).toBe('‹U+E0041›')
    expect(visibleText('a\u2028b')).toBe('a‹U+2028›b')
    expect(visibleText('a\rb')).toBe('a‹U+000D›b')
  })

  it('shows a joiner that joins no pictures', () => {
    expect(visibleText('a\u200Db')).toBe('a‹U+200D›b')
  })

  it('names terminal escapes whole', () => {
    expect(visiblePieces('loading \u001B[32mgreen')).toEqual([
      { kind: 'text', text: 'loading ' },
      { kind: 'mark', text: 'ESC[32m' },
      { kind: 'text', text: 'green' },
    ])
    expect(visibleText('\u001B]0;title\u0007x')).toBe('‹ESC]0;title›x')
  })
})
