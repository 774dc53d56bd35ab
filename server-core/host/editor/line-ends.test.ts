import fc from 'fast-check'
import { expect, it } from 'vitest'
import { editedText, withLineEndsOf } from './line-ends.ts'

it('writes text that was not changed as it was, whatever ends its lines have', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 3 })
  const end = fc.constantFrom('\n', '\r\n', '\r')
  const texts = fc.tuple(fc.constantFrom('', '\uFEFF'), fc.array(fc.tuple(line, end)), line)
  fc.assert(
    fc.property(texts, ([mark, lines, last]) => {
      const text = mark + lines.flat().join('') + last
      expect(withLineEndsOf(text, editedText(text))).toBe(text)
    }),
  )
})

it.each([
  ['a\r\nb\r\n', 'a\nnew\nb\n', 'a\r\nnew\r\nb\r\n'],
  ['a\nb\r\nc\nd', 'a\nx\ny\nd', 'a\nx\ny\nd'],
  ['a\nb\r\nc\r\nd\r\n', 'a\nb\nx\nd\n', 'a\nb\r\nx\r\nd\r\n'],
  ['\uFEFFa\r\n', 'b\n', '\uFEFFb\r\n'],
  ['', 'a\nb\n', 'a\nb\n'],
  ['a\r\nb', 'a\nb\nc', 'a\r\nb\r\nc'],
])('gives changed lines the end that the file has most: %j', (before, text, written) => {
  expect(withLineEndsOf(before, text)).toBe(written)
})
