import { expect, it } from 'vitest'
import { rangeWith } from './range-with.ts'

const range = { startIndex: 10, endIndex: 12, overscan: 1, count: 100 }

it('renders what is in sight and the active row, in their order', () => {
  expect(rangeWith(11)(range)).toEqual([9, 10, 11, 12, 13])
  expect(rangeWith(3)(range)).toEqual([3, 9, 10, 11, 12, 13])
  expect(rangeWith(70)(range)).toEqual([9, 10, 11, 12, 13, 70])
})

it('renders no row that is not there', () => {
  expect(rangeWith(-1)(range)).toEqual([9, 10, 11, 12, 13])
  expect(rangeWith(100)(range)).toEqual([9, 10, 11, 12, 13])
})
