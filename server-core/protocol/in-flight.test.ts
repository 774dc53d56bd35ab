import fc from 'fast-check'
import { expect, test } from 'vitest'
import { InFlight } from './in-flight.ts'

const id = fc.oneof(
  fc.integer({ min: -3, max: 40 }),
  fc.integer({ min: 0, max: 5_000 }).map((slot) => slot * 64),
  fc.maxSafeInteger(),
  fc.constantFrom('1', '2', 'x', ''),
)
const step = fc.record({ does: fc.constantFrom('set', 'set', 'delete'), id })

test('holds what a Map would hold', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const model = new Map<string | number, object>()
      const inFlight = new InFlight<object>()
      for (const { does, id } of steps) {
        if (does === 'set') {
          const value = { id }
          model.set(id, value)
          inFlight.set(id, value)
        } else expect(inFlight.delete(id)).toBe(model.delete(id))
        expect(inFlight.size).toBe(model.size)
        expect(inFlight.get(id)).toBe(model.get(id))
        expect(inFlight.has(id)).toBe(model.has(id))
      }
      expect(new Set(inFlight.values())).toEqual(new Set(model.values()))
      for (const [each, value] of model) expect(inFlight.get(each)).toBe(value)
    }),
  )
})

test('tells 1 from "1", and has room for thousands at once', () => {
  const inFlight = new InFlight<{ n: number }>()
  for (let n = 0; n < 5_000; n += 1) inFlight.set(n, { n })
  inFlight.set('1', { n: -1 })
  expect(inFlight.size).toBe(5_001)
  expect(inFlight.get(1)).toEqual({ n: 1 })
  expect(inFlight.get('1')).toEqual({ n: -1 })
  expect(inFlight.get(4_999)).toEqual({ n: 4_999 })
})
