import { expect, it } from 'vitest'
import { durationText } from './duration-text.ts'

it('is short and keeps what matters', () => {
  expect([0.21, 4, 41.4, 1490, 125_000].map(durationText)).toEqual([
    '0.2 ms',
    '4 ms',
    '41 ms',
    '1.49 s',
    '2 min 5 s',
  ])
})

it('changes its unit before a figure is rounded beyond it', () => {
  expect([999.4, 999.6, 59_994, 59_996, 119_700].map(durationText)).toEqual([
    '999 ms',
    '1.00 s',
    '59.99 s',
    '1 min 0 s',
    '2 min 0 s',
  ])
})
