import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OpenPlaces } from './open-places.ts'

const MOST = 24
const OWNERS = [{ name: 'a' }, { name: 'b' }, { name: 'c' }]

test('does what a map by owner and key does, from one clearing to the next', () => {
  const key = fc.oneof(
    fc.integer({ min: 0, max: 12 }),
    fc.constantFrom(2 ** 32, 2 ** 32 + 1, 1.5, -1, 2 ** 53),
  )
  const step = fc.record({
    what: fc.constantFrom('set', 'get', 'delete'),
    owner: fc.constantFrom(...OWNERS),
    key,
    place: fc.nat(),
  })
  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: MOST })), (rounds) => {
      const open = new OpenPlaces(MOST)
      for (const steps of rounds) {
        open.clear()
        const kept = new Map<string, number>()
        for (const { what, owner, key: asked, place } of steps) {
          const name = `${owner.name} ${asked}`
          if (what === 'set') {
            open.set(owner, asked, place)
            kept.set(name, place)
          } else if (what === 'delete') {
            open.delete(owner, asked)
            kept.delete(name)
          }
          expect([open.get(owner, asked), open.size]).toEqual([kept.get(name) ?? -1, kept.size])
        }
      }
    }),
  )
})
