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

it('takes several together, or none of them', () => {
  const bucket = new TokenBucket(4, 1_000)
  expect(bucket.take(1_000, 3)).toBe(0)
  expect(bucket.take(1_000, 2)).toBe(250)
  expect(bucket.take(1_000)).toBe(0)
  expect(bucket.take(1_500, 3)).toBe(250)
  expect(bucket.take(1_750, 3)).toBe(0)
  expect(bucket.take(9_000, 5)).toBe(Infinity)
  expect(bucket.take(9_000, 4)).toBe(0)
})

it('lets through less than one per second, one at a time', () => {
  const bucket = new TokenBucket(0.5, 0)
  expect([bucket.take(0), bucket.take(0), bucket.take(1_999), bucket.take(2_000)]).toEqual([0, 2_000, 1, 0])
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
