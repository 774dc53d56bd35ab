import fc from 'fast-check'
import { expect, test } from 'vitest'
import { labelPlaces, ticksFor, tickText } from './scale.ts'

test('the ticks are round values around all that is drawn', () => {
  expect(ticksFor([-7.5, 5.6], 4)).toEqual([-10, -5, 0, 5, 10])
  expect(ticksFor([0, 1], 4)).toEqual([0, 0.25, 0.5, 0.75, 1])
  expect(ticksFor([5], 4).length).toBeGreaterThan(1)
  expect(ticksFor([], 4)).toEqual([0, 1])
})

test('whatever the values, they lie between the first and the last tick', () => {
  const numbers = fc.array(fc.double({ noNaN: true, min: -1e12, max: 1e12 }), {
    minLength: 1,
    maxLength: 20,
  })
  fc.assert(
    fc.property(numbers, fc.integer({ min: 2, max: 20 }), (values, wanted) => {
      const ticks = ticksFor(values, wanted)
      // What doubles of this size cannot tell apart.
      const room = Math.max(...values.map(Math.abs)) * 1e-3 || 1
      expect(ticks[0] ?? NaN).toBeLessThanOrEqual(Math.min(...values) + room * 1e-9)
      expect(ticks.at(-1) ?? NaN).toBeGreaterThanOrEqual(Math.max(...values) - room * 1e-9)
      expect(ticks.length).toBeLessThanOrEqual(wanted + 3)
    }),
  )
})

test('a tick is written with a real minus, and a long one by its power', () => {
  expect(tickText(-2.5)).toBe('−2.5')
  expect(tickText(1_500_000)).toBe('1.5e+6')
})

test('labels are evenly apart, and no more than there is room for', () => {
  expect(labelPlaces(15, 8)).toEqual([0, 2, 4, 6, 8, 10, 12, 14])
  expect(labelPlaces(3, 8)).toEqual([0, 1, 2])
  expect(labelPlaces(0, 8)).toEqual([])
})
