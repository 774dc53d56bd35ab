import { expect, test } from 'vitest'
import { describeResult } from './describe.ts'
import { escapeHidden } from './output.ts'

test('JSON for a terminal keeps its value and steers nothing', () => {
  const value = { text: 'a\u009b2Jb\u202ec\u{e0041}d ok é 😀' }
  const shown = escapeHidden(JSON.stringify(value))
  expect(shown).toBe('{"text":"a\\u009b2Jb\\u202ec\\udb40\\udc41d ok é 😀"}')
  expect(JSON.parse(shown)).toEqual(value)
})

test('a result shows its texts, names other content, and its data if there is nothing else', () => {
  const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' }
  expect(describeResult({ content: [{ type: 'text', text: 'hello' }, image] })).toBe(
    'hello\n[image image/png, 3 bytes; --json shows it whole]',
  )
  expect(describeResult({ content: [], structuredContent: { a: 1 } })).toBe('{\n  "a": 1\n}')
  expect(describeResult({ content: [{ type: 'resource_link', uri: 'notes://1' }] })).toBe(
    '[link to notes://1]',
  )
})
