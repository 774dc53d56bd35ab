import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { faultRuleSchema } from './fault-settings.ts'
import { isOfMessages, planOf, RuleDraw, type Outgoing } from './rule-draw.ts'

type Rule = z.input<typeof faultRuleSchema>

function drawOf(rule: Rule, seed = 1): RuleDraw {
  return new RuleDraw(faultRuleSchema.parse(rule), seed)
}

const MESSAGE = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{}}')

function outgoing(changes: Partial<Outgoing> = {}): Outgoing {
  return { transport: 'stdio', tool: 'slow', bytes: MESSAGE, index: 0, keepsPlace: false, ...changes }
}

function plan(rules: readonly Rule[], changes: Partial<Outgoing> = {}) {
  const notes: string[] = []
  const draws = rules.map((rule) => drawOf(rule))
  return { plan: planOf(draws, outgoing(changes), (_rule, note) => notes.push(note)), notes }
}

describe('where a rule triggers', () => {
  it.each([
    ['everywhere without conditions', {}, { transport: 'http', tool: undefined }, true],
    ['on its transport', { transport: 'http' }, { transport: 'http', tool: undefined }, true],
    ['not on another transport', { transport: 'http' }, { transport: 'sse', tool: undefined }, false],
    ['for its tool', { tool: 'slow' }, { transport: 'stdio', tool: 'slow' }, true],
    ['not for another tool', { tool: 'slow' }, { transport: 'stdio', tool: 'quick' }, false],
    ['not without a tool', { tool: 'slow' }, { transport: 'stdio', tool: undefined }, false],
  ] as const)('%s', (_what, where, place, triggers) => {
    expect(drawOf({ id: 'a', kind: 'drop', where }).triggers(place)).toBe(triggers)
  })

  it('not where the transport cannot make the fault', () => {
    const draw = drawOf({ id: 'a', kind: 'cut', where: {} })
    expect(draw.triggers({ transport: 'memory', tool: undefined })).toBe(false)
    expect(draw.triggers({ transport: 'stdio', tool: undefined })).toBe(true)
  })

  it('as often as its probability says, and at the same occasions with the same seed', () => {
    const rule = { id: 'a', kind: 'drop', where: {}, probability: 0.3 } as const
    const drawn = (seed: number) => {
      const draw = drawOf(rule, seed)
      return Array.from({ length: 2_000 }, () => draw.triggers({ transport: 'stdio', tool: undefined }))
    }
    const first = drawn(1)
    const count = first.filter(Boolean).length
    expect(count).toBeGreaterThan(500)
    expect(count).toBeLessThan(700)
    expect(drawn(1)).toEqual(first)
    expect(drawn(2)).not.toEqual(first)
  })

  it('counts only occasions of its own place', () => {
    const rule = { id: 'a', kind: 'drop', where: { transport: 'http' }, probability: 0.5 } as const
    const drawn = (others: number) => {
      const draw = drawOf(rule)
      return Array.from({ length: 50 }, () => {
        for (let n = 0; n < others; n += 1) draw.triggers({ transport: 'sse', tool: undefined })
        return draw.triggers({ transport: 'http', tool: undefined })
      })
    }
    expect(drawn(3)).toEqual(drawn(0))
  })
})

describe('the plan of a message', () => {
  it('is undefined where no rule triggers', () => {
    expect(plan([])).toEqual({ plan: undefined, notes: [] })
    expect(
      plan([{ id: 'a', kind: 'status', where: {}, status: 500 }], { transport: 'http' }).plan,
    ).toBeUndefined()
  })

  it('adds up the faults of several rules', () => {
    const { plan: made, notes } = plan([
      { id: 'a', kind: 'stderr-flood', where: {}, bytes: 10 },
      { id: 'b', kind: 'stderr-flood', where: {}, bytes: 5 },
      { id: 'c', kind: 'duplicate', where: {} },
      { id: 'd', kind: 'delay', where: { tool: 'slow' }, ms: 20 },
    ])
    expect(made).toMatchObject({ flood: 15, copies: 2, holding: { delayMs: 20, alone: true } })
    expect(made?.notes).toEqual(notes)
    expect(notes).toHaveLength(4)
  })

  it('delays all messages where the rule names no tool', () => {
    const { plan: made } = plan([{ id: 'a', kind: 'delay', where: {}, ms: 20 }])
    expect(made?.holding).toMatchObject({ delayMs: 20, alone: false })
  })

  it('delays by the whole range of the jitter, and not by more', () => {
    const draw = drawOf({ id: 'a', kind: 'delay', where: {}, ms: 10, jitterMs: 3 })
    const delays = Array.from(
      { length: 200 },
      () => planOf([draw], outgoing(), () => undefined)?.holding.delayMs,
    )
    expect(new Set(delays)).toEqual(new Set([10, 11, 12, 13]))
  })

  it('closes only after the number of messages that the rule names', () => {
    const rule = { id: 'a', kind: 'close', where: {}, after: 2 } as const
    expect(plan([rule], { index: 1 }).plan).toBeUndefined()
    expect(plan([rule], { index: 2 }).plan).toMatchObject({ end: 'close' })
  })

  it('lets no message overtake one that keeps its place', () => {
    const rule = { id: 'a', kind: 'reorder', where: {}, count: 2 } as const
    expect(plan([rule], { keepsPlace: true }).plan).toBeUndefined()
    expect(plan([rule]).plan?.holding.overtakenBy).toBe(2)
  })

  it('stalls for its time, or until the fault is off', () => {
    expect(plan([{ id: 'a', kind: 'stall', where: {}, ms: 5 }]).plan?.holding.stall).toEqual({
      ms: 5,
      by: 'a',
    })
    expect(plan([{ id: 'a', kind: 'stall', where: {} }]).plan?.holding.stall).toEqual({
      ms: Infinity,
      by: 'a',
    })
  })

  it('answers under another id, except messages without one', () => {
    const rule = { id: 'a', kind: 'wrong-id', where: {} } as const
    expect(JSON.parse(Buffer.from(plan([rule]).plan?.bytes ?? []).toString())).not.toMatchObject({ id: 1 })
    const bytes = Buffer.from('{"jsonrpc":"2.0","method":"notifications/message"}')
    expect(plan([rule], { bytes })).toEqual({ plan: undefined, notes: [] })
  })

  it.each([
    ['drop', { copies: 0 }],
    ['cut', { end: 'cut' }],
  ] as const)('%s', (kind, expected) => {
    expect(plan([{ id: 'a', kind, where: {} }]).plan).toMatchObject(expected)
  })
})

it('knows which faults are of messages', () => {
  const isOne = (rule: Rule) => isOfMessages(drawOf(rule))
  expect(isOne({ id: 'a', kind: 'drop', where: {} })).toBe(true)
  expect(isOne({ id: 'a', kind: 'session-loss', where: {} })).toBe(false)
})
