import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { revisionRow, SUPPORTED } from '../protocol/revisions.ts'
import { SpokenRevisions } from './spoken-revisions.ts'

const some = fc
  .subarray([...SUPPORTED], { minLength: 1 })
  .chain((spoken) => fc.shuffledSubarray(spoken, { minLength: 1 }))
const version = fc.oneof(fc.constantFrom(...SUPPORTED, '2024-10-07', '1999-01-01', '2099-12-31'), fc.string())

describe('what a server speaks', () => {
  it('is agreed on as offered, else as the newest that opens with a handshake, whatever is offered', () => {
    fc.assert(
      fc.property(some, version, (revisions, offered) => {
        const spoken = new SpokenRevisions(revisions)
        const agreed = spoken.negotiate(offered)
        const legacy = spoken.all.filter((revision) => revisionRow(revision)?.era === 'legacy')
        expect(agreed?.revision).toBe(
          legacy.find((revision) => revision === offered) ??
            (offered === '2024-10-07' && legacy.includes('2024-11-05') ? '2024-11-05' : legacy.at(-1)),
        )
      }),
    )
  })

  it('is listed oldest first, and knows no other row', () => {
    fc.assert(
      fc.property(some, version, (revisions, asked) => {
        const spoken = new SpokenRevisions(revisions)
        expect(spoken.all).toEqual([...revisions].sort())
        expect(spoken.modern).toEqual(spoken.all.filter((each) => revisionRow(each)?.era === 'modern'))
        expect(spoken.row(asked)?.revision).toBe(spoken.all.find((each) => each === asked))
      }),
    )
  })
})
