import { describe, expect, it } from 'vitest'
import { savedSizes, withSizes } from './layout-sizes.ts'

describe('layout sizes', () => {
  it('come back as they were saved, each mode for itself', () => {
    const saved = withSizes({}, 'wide', { servers: 210.4, explorer: 300, timeline: 400 })
    expect(savedSizes('wide', saved)).toEqual({ servers: 210, explorer: 300, timeline: 400 })
    expect(savedSizes('narrow', saved)).toEqual({ servers: 44, explorer: 208, timeline: 240 })
  })

  it('keep what others saved', () => {
    expect(withSizes({ other: [1] }, 'narrow', { servers: 44, explorer: 200, timeline: 300 })).toEqual({
      other: [1],
      narrow: [44, 200, 300],
    })
  })

  it('are as designed where what was saved is unusable', () => {
    expect(savedSizes('wide', { wide: [5, Number.NaN] })).toEqual({
      servers: 140,
      explorer: 248,
      timeline: 372,
    })
  })
})
