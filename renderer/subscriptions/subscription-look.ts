import type { Subscription } from '../../server-core/host/contract/inspection.ts'
import type { StateLook } from '../controls/state-mark.tsx'
import { subscriptionsText } from './text.ts'

/** How a state is told apart: a shape and a word, the colour only repeats them. */
export function subscriptionLook({ state }: Subscription): StateLook {
  switch (state.type) {
    case 'asking':
      return { icon: 'st-busy', tone: 't2', word: subscriptionsText.subscriptionLook.asking }
    case 'subscribed':
      return { icon: 'st-on', tone: 'is-ok', word: subscriptionsText.subscriptionLook.subscribed }
    case 'not-connected':
      return { icon: 'st-off', tone: 't2', word: subscriptionsText.subscriptionLook.onTheNextConnection }
    case 'not-offered':
      return { icon: 'st-hold', tone: 'is-warn', word: subscriptionsText.subscriptionLook.notOffered }
    case 'refused':
      return {
        icon: 'st-fail',
        tone: 'is-error',
        word: subscriptionsText.subscriptionLook.refused(state.reason),
      }
    case 'unasked':
      return {
        icon: 'info',
        tone: 't2',
        word:
          state.under === undefined
            ? subscriptionsText.subscriptionLook.updatesWithoutASubscription
            : subscriptionsText.subscriptionLook.partOfSubscribed,
      }
  }
}
