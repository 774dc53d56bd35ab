import { expect, it } from 'vitest'
import type { Entry } from './entries.ts'
import { isEmptyFilter, matchesFilter, readFilter } from './filter.ts'

const entry = {
  haystack: 'read_file reads a file',
  marks: [{ word: 'ro' }, { word: 'task' }],
  tags: ['Weather'],
  malformed: undefined,
} as unknown as Entry
const matches = (text: string): boolean => matchesFilter(entry, readFilter(text))

it('reads words, marks and tags', () => {
  expect(readFilter(' Read  mark:task TAG:weather mark: ')).toEqual({
    words: ['read'],
    marks: ['task'],
    tags: ['weather'],
  })
  expect([isEmptyFilter(readFilter(' mark: ')), isEmptyFilter(readFilter('a'))]).toEqual([true, false])
})

it.each([
  ['read file', true],
  ['read write', false],
  ['mark:ta', true],
  ['mark:destructive', false],
  ['tag:wea', true],
  ['tag:sea', false],
  ['mark:malformed', false],
])('%s: %s', (text, isShown) => {
  expect(matches(text)).toBe(isShown)
})
