import { expect, test } from 'vitest'
import { roomOf } from './room.ts'

test.each([
  ['#registry', 'registry'],
  ['#inspector', 'inspector'],
  ['', 'inspector'],
  ['#toString', 'inspector'],
  ['#token=abc', 'inspector'],
])('the fragment %s names the room %s', (hash, room) => {
  expect(roomOf(hash)).toBe(room)
})
