import { describe, expect, it } from 'vitest'
import { bytesText, counted, countText } from './measures.ts'

describe('measures', () => {
  it('are short and keep what matters', () => {
    expect([163, 1_200, 5_000_000, 2e9].map(bytesText)).toEqual(['163 B', '1.2 kB', '5.0 MB', '2.0 GB'])
    expect(countText(3108)).toBe('3,108')
    expect([counted(1, 'tool'), counted(2, 'tool'), counted(0, 'entry', 'entries')]).toEqual([
      '1 tool',
      '2 tools',
      '0 entries',
    ])
  })
})
