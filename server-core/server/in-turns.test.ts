import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { InTurns } from './in-turns.ts'

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

it('serves few at once, and many in several turns, one job after the other', async () => {
  const turns = new InTurns()
  const served: string[] = []
  turns.each(numbers(3), (one) => served.push(`a${one}`))
  expect(served).toEqual(['a0', 'a1', 'a2'])

  served.length = 0
  turns.each(numbers(200), (one) => served.push(`b${one}`))
  turns.each(numbers(2), (one) => served.push(`c${one}`))
  const first = served.length
  expect(first).toBeGreaterThan(0)
  expect(first).toBeLessThan(200)
  while (served.length < 202) await setImmediate()
  expect(served).toEqual([...numbers(200).map((one) => `b${one}`), 'c0', 'c1'])
})

it('serves those that wait at once when it has to finish, and never when it is stopped', async () => {
  const turns = new InTurns()
  let served = 0
  turns.each(numbers(200), () => (served += 1))
  turns.finish()
  expect(served).toBe(200)
  turns.each(numbers(200), () => (served += 1))
  const before = served
  turns.stop()
  for (let turn = 0; turn < 10; turn += 1) await setImmediate()
  expect(served).toBe(before)
})

it('takes what is added while it serves', () => {
  const turns = new InTurns()
  const served: string[] = []
  turns.each(['a', 'b'], (one) => {
    served.push(one)
    if (one === 'a') turns.each(['c'], (other) => served.push(other))
  })
  expect(served).toEqual(['a', 'b', 'c'])
})
