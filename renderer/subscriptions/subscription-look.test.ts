import { expect, it } from 'vitest'
import type { Subscription } from '../../server-core/host/contract/inspection.ts'
import { subscriptionLook } from './subscription-look.ts'
import { subscriptionsText } from './text.ts'

const words = subscriptionsText.subscriptionLook
const lookOf = (state: Subscription['state']) => subscriptionLook({ uri: 'demo://a', updates: 0, state })

it('shows a subscription that works, waits or failed in different ways', () => {
  expect(lookOf({ type: 'subscribed' })).toMatchObject({ icon: 'st-on', tone: 'is-ok' })
  expect(lookOf({ type: 'not-connected' })).toMatchObject({ icon: 'st-off', word: words.onTheNextConnection })
  expect(lookOf({ type: 'refused', reason: 'no such resource' })).toEqual({
    icon: 'st-fail',
    tone: 'is-error',
    word: words.refused('no such resource'),
  })
})

it('tells updates of a subscribed parent from updates that nobody asked for', () => {
  expect(lookOf({ type: 'unasked', under: 'demo://' }).word).toBe(words.partOfSubscribed)
  expect(lookOf({ type: 'unasked' }).word).toBe(words.updatesWithoutASubscription)
})
