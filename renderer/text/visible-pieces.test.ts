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

  it('marks white space that cannot be told apart where the text must be exact', () => {
    const exact = (text: string): string =>
      visiblePieces(text, true)
        .map((piece) => (piece.kind === 'text' ? piece.text : `[${piece.text}]`))
        .join('')
    expect(exact('a\nfolder\r\n/safe')).toBe('a[⏎]\nfolder[⏎]\n/safe')
    expect(exact('a\tb\u00a0c\u3000d\re')).toBe('a[⇥]b[U+00A0]c[U+3000]d[U+000D]e')
    expect(exact('  a b ')).toBe('[␣␣]a b[␣]')
    expect(exact(' ')).toBe('[␣]')
    expect(exact('\u202ea\u001b[31m')).toBe('[U+202E]a[ESC[31m]')
    expect(exact('plain text')).toBe('plain text')
  })
})
