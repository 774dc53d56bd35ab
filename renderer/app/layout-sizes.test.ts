import { describe, expect, it } from 'vitest'
import { savedSizes, withSizes } from './layout-sizes.ts'

describe('layout sizes', () => {
  it('come back as they were saved, each mode for itself', () => {
    const saved = withSizes({}, 'wide', { side: 310.4, servers: 200, timeline: 230, frames: 400 })
    expect(savedSizes('wide', saved)).toEqual({ side: 310, servers: 200, timeline: 230, frames: 400 })
    expect(savedSizes('narrow', saved)).toEqual({ side: 246, servers: 120, timeline: 150, frames: 300 })
  })

  it('keep what others saved', () => {
    const sizes = { side: 200, servers: 120, timeline: 150, frames: 300 }
    expect(withSizes({ other: [1] }, 'narrow', sizes)).toEqual({
      other: [1],
      'inspector-narrow': [200, 120, 150, 300],
    })
  })

  it('are as designed where what was saved is unusable', () => {
    expect(savedSizes('wide', { inspector: [5, Number.NaN] })).toEqual({
      side: 160,
      servers: 220,
      timeline: 188,
      frames: 372,
    })
  })
})
