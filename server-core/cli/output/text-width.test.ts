import { expect, it } from 'vitest'
import { fitted, padded, textWidth } from './text-width.ts'

it.each([
  ['', 0],
  ['plain', 5],
  ['größe', 5],
  ['e\u0301', 1],
  ['日本語', 6],
  ['👍🏽', 2],
  ['👨‍👩‍👧', 2],
  ['a\u200bb', 2],
])('%j takes %i columns', (text, columns) => {
  expect(textWidth(text)).toBe(columns)
})

it('cuts and pads by columns', () => {
  expect(fitted('日本語', 6)).toBe('日本語')
  expect(fitted('日本語', 5)).toBe('日本…')
  expect(fitted('plain text', 6)).toBe('plain…')
  expect(padded('日本', 6)).toBe('日本  ')
})
