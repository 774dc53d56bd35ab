import { expect, it } from 'vitest'
import { attackClients } from './testing/hostile/hostile-run.test-support.ts'

it('shows no secret to servers that turned hostile, and goes nowhere that they point to', async () => {
  let state = 7
  const next = (): number => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
  const numbers = {
    below: (bound: number) => Math.floor(next() * bound),
    probability: (part: number) => next() < part,
  }
  const { findings, connected } = await attackClients(numbers, 25)
  expect(findings).toEqual([])
  // Some attacks are of no consequence; if all were, the rig would test nothing.
  expect(connected).toBeGreaterThan(0)
  expect(connected).toBeLessThan(20)
})
