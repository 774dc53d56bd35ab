import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutLines, LINE_LENGTH, lineAt } from './text-lines.ts'

function linesOf(text: string): string[] {
  const starts = cutLines(text)
  return Array.from(starts, (_, line) => lineAt(text, starts, line))
}

describe('cutLines', () => {
  it('cuts at line feeds, and long lines where they get too long', () => {
    expect(linesOf('a\nb\r\n\nc')).toEqual(['a', 'b', '', 'c'])
    expect(linesOf('x'.repeat(LINE_LENGTH * 2 + 1)).map((line) => line.length)).toEqual([
      LINE_LENGTH,
      LINE_LENGTH,
      1,
    ])
    expect(linesOf(`${'x'.repeat(LINE_LENGTH - 1)}😀`)[1]).toBe('😀')
  })

  it('loses nothing', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\n', '😀', 'b'.repeat(70)), maxLength: 50 }),
        (text) => {
          expect(linesOf(text).join('')).toBe(text.replaceAll('\n', ''))
        },
      ),
    )
  })
})
