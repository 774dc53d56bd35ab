import { expect, it } from 'vitest'
import { compare, raised } from './baseline.ts'

it('reports what of the floor holds, what is lost and what is new', () => {
  expect(compare(['a', 'b'], ['b', 'c'])).toEqual({ held: ['b'], lost: ['a'], gained: ['c'] })
})

it('raises a floor and never lowers it', () => {
  expect(raised({ x: ['b'], y: ['z'] }, 'x', ['a'])).toEqual({ x: ['a', 'b'], y: ['z'] })
  expect(raised({}, 'x', ['a'])).toEqual({ x: ['a'] })
})
