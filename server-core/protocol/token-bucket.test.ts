import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TokenBucket } from './token-bucket.ts'

it('lets through as many at once as per second, then one by one', () => {
  const bucket = new TokenBucket(4, 1_000)
  expect([0, 0, 0, 0, 0].map(() => bucket.take(1_000))).toEqual([0, 0, 0, 0, 250])
  expect(bucket.take(1_249)).toBe(1)
  expect(bucket.take(1_250)).toBe(0)
  expect(bucket.isFull(2_249)).toBe(false)
  expect(bucket.isFull(2_250)).toBe(true)
})

it('never lets through more than it says, and always after the time it names', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.nat(200), { maxLength: 200 }),
      (perSecond, pauses) => {
        let now = 0
        const taken: number[] = []
        const bucket = new TokenBucket(perSecond, now)
        for (const pause of pauses) {
          now += pause
          const wait = bucket.take(now)
          if (wait === 0) taken.push(now)
          else if (pause % 2 === 0) {
            now += wait
            expect(bucket.take(now)).toBe(0)
            taken.push(now)
          }
        }
        for (const start of taken) {
          const within = taken.filter((at) => at >= start && at < start + 1_000).length
          expect(within).toBeLessThanOrEqual(perSecond * 2)
        }
        expect(taken.length).toBeLessThanOrEqual(perSecond + (now / 1_000) * perSecond + 1e-6)
      },
    ),
  )
})
