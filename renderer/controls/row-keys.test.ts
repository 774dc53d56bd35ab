import { expect, it } from 'vitest'
import { rowForKey } from './row-keys.ts'

const rows = ['# a', 'ant', 'ape', '# b', 'bee', 'bat', ...Array.from({ length: 20 }, (_, at) => `z${at}`)]
const facts = {
  isGroup: (row: string) => row.startsWith('#'),
  nameOf: (row: string) => (row.startsWith('#') ? undefined : row),
}
const from = (active: number, key: string): string | undefined => rowForKey(rows, active, key, facts)

it.each([
  ['ArrowDown', 1, 'ape'],
  ['ArrowUp', 1, '# a'],
  ['ArrowLeft', 5, '# b'],
  ['Home', 5, '# a'],
  ['End', 0, 'z19'],
  ['PageDown', 1, 'z10'],
  ['PageDown', 20, 'z19'],
  ['PageUp', 20, 'bat'],
  ['PageUp', 3, '# a'],
  ['b', 0, 'bee'],
  ['B', 4, 'bat'],
  ['b', 5, 'bee'],
  ['a', 5, 'ant'],
])('%s from row %i leads to %s', (key, active, row) => {
  expect(from(active, key)).toBe(row)
})

it('leads nowhere at the edges, for a blank, and for other keys', () => {
  expect([from(0, 'ArrowUp'), from(25, 'ArrowDown'), from(0, ' '), from(0, 'Tab')]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
