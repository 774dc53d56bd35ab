import { describe, expect, it } from 'vitest'
import { visiblePieces } from './visible-pieces.ts'

const shown = (text: string): string =>
  visiblePieces(text)
    .map((piece) => (piece.kind === 'text' ? piece.text : `[${piece.text}]`))
    .join('')

describe('visiblePieces', () => {
  it('leaves ordinary text alone, in any script', () => {
    for (const text of ['plain', 'smörgåsbord', '日本語', 'a\tb\nc\r\nd', '👨‍👩‍👧 family', '❤️ heart']) {
      expect(visiblePieces(text)).toEqual([{ kind: 'text', text }])
    }
  })

  it('marks what turns or hides text', () => {
    expect(shown('safe\u202Egpj.exe')).toBe('safe[U+202E]gpj.exe')
    expect(shown('a\u200Bb')).toBe('a[U+200B]b')
    expect(shown('\u{E0041}')).toBe('[U+E0041]')
    expect(shown('a\u2028b')).toBe('a[U+2028]b')
    expect(shown('a\u200Db')).toBe('a[U+200D]b')
  })

  it('names terminal escapes whole', () => {
    expect(shown('loading \u001B[32mgreen')).toBe('loading [ESC[32m]green')
    expect(shown('\u001B]0;title\u0007x')).toBe('[ESC]0;title]x')
  })
})
