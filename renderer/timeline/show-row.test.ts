import { expect, it } from 'vitest'
import { scrollTopFor } from './show-row.ts'

const heights = { row: 20, head: 10 }

it.each([
  ['a row in sight', 5, 60, 60],
  ['a row above', 2, 60, 40],
  ['a row behind the head', 2, 45, 40],
  ['a row below', 10, 60, 130],
  ['a row that is cut off below', 7, 60, 70],
  ['the first row', 0, 60, 0],
])('scrolls no farther than needed for %s', (_, index, scrollTop, expected) => {
  expect(scrollTopFor(index, { scrollTop, clientHeight: 100 }, heights)).toBe(expected)
})

it('shows the beginning of a row in a list that is lower than a row', () => {
  expect(scrollTopFor(3, { scrollTop: 0, clientHeight: 15 }, heights)).toBe(60)
})
