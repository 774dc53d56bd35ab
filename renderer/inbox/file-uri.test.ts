import { expect, it } from 'vitest'
import { fileUri } from './file-uri.ts'

it.each([
  ['/work/my notes', 'file:///work/my%20notes'],
  [' /tmp/#1? ', 'file:///tmp/%231%3F'],
  ['C:\\Users\\me', 'file:///C:/Users/me'],
  ['\\\\host\\share', 'file://host/share'],
  ['file:///tmp', 'file:///tmp'],
  ['notes', 'notes'],
  ['', ''],
])('%s is %s', (path, uri) => {
  expect(fileUri(path)).toBe(uri)
})
