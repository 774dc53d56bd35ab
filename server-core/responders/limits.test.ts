import { describe, expect, it } from 'vitest'
import { ProtocolError } from '../protocol/errors.ts'
import { TokenBudget, type TokenLedger } from './models/token-budget.ts'
import { chooseModel } from './models/choose-model.ts'
import { QuestionRates } from './rates.ts'
import { effectiveSettings, responderSettingsSchema } from './settings.ts'

describe('questions of a server', () => {
  const limits = { questionsPerMinute: 3, openQuestions: 2 }

  function refusal(rates: QuestionRates, now: number): unknown {
    try {
      rates.enter(limits, now)
    } catch (error) {
      expect(error).toBeInstanceOf(ProtocolError)
      return (error as ProtocolError).toBody()
    }
    return undefined
  }

  it('beyond those that may be open are refused until one is over', () => {
    const rates = new QuestionRates()
    const leave = rates.enter(limits, 0)
    rates.enter(limits, 0)
    expect(refusal(rates, 0)).toEqual({
      code: -32603,
      message:
        'too many questions: 2 questions of this server wait for an answer already, and that is what may',
      data: { limit: 'openQuestions', value: 2 },
    })
    leave()
    leave()
    expect(rates.open).toBe(1)
    expect(refusal(rates, 0)).toBeUndefined()
  })

  it('beyond those of a minute are refused, and told when to come again', () => {
    const rates = new QuestionRates()
    for (const at of [0, 10_000, 20_000]) rates.enter(limits, at)()
    expect(refusal(rates, 30_000)).toMatchObject({
      data: { limit: 'questionsPerMinute', value: 3, retryAfterMs: 30_000 },
    })
    expect(refusal(rates, 59_999)).toMatchObject({ data: { retryAfterMs: 1 } })
    expect(refusal(rates, 60_000)).toBeUndefined()
    expect(refusal(rates, 60_001)).toMatchObject({ data: { retryAfterMs: 9_999 } })
  })
})

describe('tokens of models', () => {
  function ledger(): TokenLedger & { readonly days: Map<string, number> } {
    const days = new Map<string, number>()
    return {
      days,
      used: (day, serverId) => days.get(`${day} ${serverId}`) ?? 0,
      add: (day, serverId, tokens) => {
        days.set(`${day} ${serverId}`, (days.get(`${day} ${serverId}`) ?? 0) + tokens)
        return Promise.resolve()
      },
    }
  }
  const limits = { tokensPerDay: 1_000, tokensPerConnection: 600 }

  it('are given up to what is left, those of answers under way included', async () => {
    const budget = new TokenBudget('s', ledger())
    const first = budget.reserve(400, limits)
    const second = budget.reserve(400, limits)
    expect([first.maxTokens, second.maxTokens]).toEqual([400, 200])
    expect(() => budget.reserve(1, limits)).toThrow('600 tokens of this connection')
    await first.settle(100)
    await first.settle(100)
    expect(budget.usedByConnection).toBe(100)
    expect(budget.reserve(400, limits).maxTokens).toBe(300)
  })

  it('of a day count for all connections of the server, until the day is over', async () => {
    const book = ledger()
    let now = Date.UTC(2026, 6, 28, 23, 59)
    for (let n = 0; n < 2; n += 1)
      await new TokenBudget('s', book, () => now).reserve(600, limits).settle(500)
    const next = new TokenBudget('s', book, () => now)
    expect(() => next.reserve(1, limits)).toThrow('1000 tokens of today (UTC)')
    expect(new TokenBudget('other', book, () => now).reserve(5, limits).maxTokens).toBe(5)
    now += 60_000
    expect(next.usedToday).toBe(0)
    expect(next.reserve(600, limits).maxTokens).toBe(600)
    expect([...book.days]).toEqual([['2026-07-28 s', 1_000]])
  })
})

describe('the model that a server’s preferences mean', () => {
  const endpoint = {
    id: 'e',
    name: 'E',
    api: 'openai' as const,
    url: 'http://127.0.0.1/v1',
    models: [
      { name: 'plain-large' },
      { name: 'Swift-Mini', speed: 1, cost: 0.9, intelligence: 0.2 },
      { name: 'deep-max', speed: 0.1, cost: 0.1, intelligence: 1 },
    ],
  }

  it.each([
    [undefined, 'plain-large'],
    [{ hints: [{ name: 'unheard-of' }, { name: 'mini' }, { name: 'deep' }] }, 'Swift-Mini'],
    [{ hints: [{}, { name: '' }], intelligencePriority: 0.9, costPriority: 0.1 }, 'deep-max'],
    [{ costPriority: 0.8, intelligencePriority: 0.3 }, 'Swift-Mini'],
    [{ hints: 'all of them' }, 'plain-large'],
  ])('%j is %s', (modelPreferences, name) => {
    expect(chooseModel(endpoint, modelPreferences === undefined ? {} : { modelPreferences })).toBe(name)
  })
})

describe('settings', () => {
  it('of a server precede those for all, and both the built-in ones', () => {
    const defaults = responderSettingsSchema.parse({
      rules: { sampling: { kind: 'decline' }, 'elicitation-form': { kind: 'never' } },
      limits: { deadlineMs: 0, openQuestions: 5 },
    })
    const own = responderSettingsSchema.parse({
      rules: { sampling: { kind: 'wait', ms: 5, then: { kind: 'wait', ms: 6, then: { kind: 'people' } } } },
      limits: { openQuestions: 7 },
    })
    expect(effectiveSettings(own, defaults)).toEqual({
      rules: {
        sampling: { kind: 'wait', ms: 5, then: { kind: 'wait', ms: 6, then: { kind: 'people' } } },
        'elicitation-form': { kind: 'never' },
        'elicitation-url': { kind: 'people' },
        roots: { kind: 'fixed', result: { roots: [] } },
      },
      limits: {
        questionsPerMinute: 120,
        openQuestions: 7,
        deadlineMs: 0,
        tokensPerDay: 1_000_000,
        tokensPerConnection: 200_000,
      },
    })
  })

  it.each([
    [{ rules: { sampling: { kind: 'wait', ms: 5 } } }],
    [{ rules: { sampling: { kind: 'guess' } } }],
    [{ rules: { tools: { kind: 'people' } } }],
    [{ limits: { openQuestions: 0 } }],
  ])('rejects %j', (settings) => {
    expect(responderSettingsSchema.safeParse(settings).success).toBe(false)
  })
})
