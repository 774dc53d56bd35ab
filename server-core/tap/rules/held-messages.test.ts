import { expect, it, vi } from 'vitest'
import { HeldMessages, MOST_HELD } from './held-messages.ts'

const FACTS = {
  direction: 'to-server',
  kind: 'request',
  method: 'tools/call',
  target: 'x',
  id: 1,
  value: {},
} as const
const HOLD = { type: 'hold', seconds: 60, afterwards: 'drop' } as const
const CAME = { bytes: Buffer.from('{}'), ruleId: 'r' }

it('holds at most 100 messages, and only while an app is there', async () => {
  const changes: number[] = []
  const held = new HeldMessages((messages) => changes.push(messages.length))
  await expect(held.hold(FACTS, CAME, HOLD)).resolves.toMatchObject({ type: 'forward' })
  held.watch(true)
  const waiting = Array.from({ length: MOST_HELD }, () => held.hold(FACTS, CAME, HOLD))
  await expect(held.hold(FACTS, CAME, HOLD)).resolves.toMatchObject({
    type: 'forward',
    reason: expect.stringContaining('100') as string,
  })
  expect(held.messages).toHaveLength(MOST_HELD)
  expect(held.settle(1, { type: 'drop', reason: 'by you' })).toBe(true)
  expect(held.settle(1, { type: 'drop', reason: 'by you' })).toBe(false)
  await expect(waiting[0]).resolves.toEqual({ type: 'drop', reason: 'by you' })
  held.watch(false)
  await expect(waiting[1]).resolves.toEqual({ type: 'forward', reason: 'the app was closed' })
  expect(held.messages).toEqual([])
  expect(changes.at(-1)).toBe(0)
})

it('does what the rule says when nobody decides in time', async () => {
  vi.useFakeTimers()
  try {
    const held = new HeldMessages(() => undefined)
    held.watch(true)
    const waiting = held.hold(FACTS, CAME, HOLD)
    vi.advanceTimersByTime(60_000)
    await expect(waiting).resolves.toEqual({ type: 'drop', reason: 'nobody decided within 60 s' })
  } finally {
    vi.useRealTimers()
  }
})
