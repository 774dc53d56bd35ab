import { describe, expect, it } from 'vitest'
import { bytesText, counted, countText, durationText } from './measures.ts'

describe('measures', () => {
  it('are short and keep what matters', () => {
    expect([0.21, 4, 41.4, 1490, 125_000].map(durationText)).toEqual([
      '0.2 ms',
      '4 ms',
      '41 ms',
      '1.49 s',
      '2 min 5 s',
    ])
    expect([163, 1_200, 5_000_000, 2e9].map(bytesText)).toEqual(['163 B', '1.2 kB', '5.0 MB', '2.0 GB'])
    expect(countText(3108)).toBe('3,108')
    expect([counted(1, 'tool'), counted(2, 'tool'), counted(0, 'entry', 'entries')]).toEqual([
      '1 tool',
      '2 tools',
      '0 entries',
    ])
  })
})
