import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { TurnBudget } from './turn-budget.ts'

/** Delivers chunks that each take some milliseconds. Returns the turn of the event loop in which each was processed. */
async function turnsOf(chunks: number, msOfChunk: number): Promise<number[]> {
  const stream = new Readable({ read: () => undefined })
  const budget = new TurnBudget(stream)
  const turns: number[] = []
  let turn = 0
  stream.on('data', () => {
    budget.spend(() => {
      turns.push(turn)
      const end = performance.now() + msOfChunk
      while (performance.now() < end);
    })
  })
  const ended = new Promise((resolve) => stream.on('end', resolve))
  const timer = setInterval(() => (turn += 1))
  for (let n = 0; n < chunks; n += 1) stream.push('x')
  stream.push(null)
  await ended
  clearInterval(timer)
  return turns
}

test('data that takes long is processed over several turns, in which timers run', async () => {
  const turns = await turnsOf(8, 5)
  expect(turns).toHaveLength(8)
  expect(new Set(turns).size).toBeGreaterThan(3)
})

test('all data arrives, however little time it takes', async () => {
  expect(await turnsOf(1_000, 0)).toHaveLength(1_000)
})

test('a source is resumed once for each time it was paused', async () => {
  const calls: string[] = []
  const budget = new TurnBudget({ pause: () => calls.push('pause'), resume: () => calls.push('resume') })
  const busy = (): void => {
    const end = performance.now() + 5
    while (performance.now() < end);
  }
  budget.spend(busy)
  budget.spend(busy)
  await new Promise(setImmediate)
  budget.spend(busy)
  await new Promise(setImmediate)
  expect(calls).toEqual(['pause', 'resume', 'pause', 'resume'])
})
