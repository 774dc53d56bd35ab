import { describe, expect, it } from 'vitest'
import { matchName } from './rank.ts'

describe('matchName', () => {
  it('ranks start, word, inside, words, letters', () => {
    expect(
      ['forecast', 'my-forecast', 'unforeseen', 'cast the fore', 'find other rest'].map(
        (name) => matchName(name, 'fore')?.rank,
      ),
    ).toEqual([0, 1, 2, 1, 4])
    expect(matchName('get structured content', 'content get')?.rank).toBe(3)
    expect(matchName('echo', 'sum')).toBeUndefined()
  })

  it('says where, to be shown', () => {
    expect(matchName('birds.forest-check', 'fore')?.spans).toEqual([[6, 10]])
    expect(matchName('get-sum', 'gsum')?.spans).toEqual([
      [0, 1],
      [4, 7],
    ])
  })

  it('takes everything when nothing was typed', () => {
    expect(matchName('anything', '  ')).toEqual({ rank: 0, spans: [] })
  })
})
