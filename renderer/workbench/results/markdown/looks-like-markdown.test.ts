import { expect, test } from 'vitest'
import { isMarkdownType, looksLikeMarkdown } from './looks-like-markdown.ts'

test.each([
  '# Title\ntext',
  'before\n\n```js\ncode\n```',
  '| a | b |\n| --- | --- |\n| 1 | 2 |',
  '- one\n- two',
  '1. one\n2. two',
  'this is **important**',
  'see [the page](https://example.com)',
])('%j reads better as Markdown', (text) => {
  expect(looksLikeMarkdown(text)).toBe(true)
})

test.each([
  'plain text',
  '#hashtag of somebody',
  '- a single line',
  '2 * 3 * 4',
  'Error: no [index](list)',
  '2026-11-27 10:00 --- started',
])('%j is shown as it is', (text) => {
  expect(looksLikeMarkdown(text)).toBe(false)
})

test('only the beginning of a text decides', () => {
  expect(looksLikeMarkdown(`${'word '.repeat(100)}\n# Title`)).toBe(true)
  expect(looksLikeMarkdown(`${'word '.repeat(1_000)}\n# Title`)).toBe(false)
})

test('a server may say that a text is Markdown', () => {
  expect(isMarkdownType('text/markdown; charset=utf-8')).toBe(true)
  expect(isMarkdownType('text/plain')).toBe(false)
})
