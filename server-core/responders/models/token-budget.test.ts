import { expect, it } from 'vitest'
import { TokenBudget, type TokenLedger } from './token-budget.ts'

function memoryLedger(): TokenLedger {
  const used = new Map<string, number>()
  return {
    used: (day, id) => used.get(`${day} ${id}`) ?? 0,
    add: (day, id, tokens) => {
      used.set(`${day} ${id}`, (used.get(`${day} ${id}`) ?? 0) + tokens)
      return Promise.resolve()
    },
  }
}

const limits = { tokensPerDay: 100, tokensPerConnection: 60 }

it('sets tokens aside for answers at the same time, and frees the unused ones', async () => {
  const budget = new TokenBudget('one', memoryLedger())
  const first = budget.reserve(50, limits)
  const second = budget.reserve(50, limits)
  expect([first.maxTokens, second.maxTokens]).toEqual([50, 10])
  expect(() => budget.reserve(1, limits)).toThrow('60 tokens of this connection')
  await first.settle(20)
  await first.settle(20)
  await second.settle(0)
  expect([budget.usedByConnection, budget.usedToday]).toEqual([20, 20])
  expect(budget.reserve(50, limits).maxTokens).toBe(40)
})

it('counts a day over all connections, by server', async () => {
  const ledger = memoryLedger()
  let now = Date.parse('2026-07-28T23:59:59Z')
  const before = new TokenBudget('one', ledger, () => now)
  await before.reserve(60, limits).settle(60)
  const after = new TokenBudget('one', ledger, () => now)
  const rest = after.reserve(60, limits)
  expect(rest.maxTokens).toBe(40)
  await rest.settle(40)
  expect(() => after.reserve(1, limits)).toThrow('100 tokens of today')
  expect(new TokenBudget('other', ledger, () => now).reserve(60, limits).maxTokens).toBe(60)
  now += 2_000
  expect(after.reserve(60, limits).maxTokens).toBe(20)
})
