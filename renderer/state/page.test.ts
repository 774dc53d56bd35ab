import { expect, test } from 'vitest'
import { pageOf } from './page.ts'

test.each([
  ['#registry', 'registry'],
  ['#inspector', 'inspector'],
  ['', 'inspector'],
  ['#toString', 'inspector'],
  ['#token=abc', 'inspector'],
])('the fragment %s names the page %s', (hash, page) => {
  expect(pageOf(hash)).toBe(page)
})
