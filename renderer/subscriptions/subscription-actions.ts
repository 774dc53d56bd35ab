import { showFailure, showToast } from '../controls/toast.tsx'
import { api } from '../host/api.ts'
import { subscriptionsText } from './text.ts'

/** Subscribes to a resource until `unsubscribe`. Never rejects: a failure is shown as a notice. */
export async function subscribe(serverId: string, uri: string): Promise<void> {
  try {
    const { state } = await api.inspection.subscribe({ serverId, uri })
    if (state.type === 'refused')
      showToast({
        title: subscriptionsText.subscriptionActions.notSubscribed,
        detail: state.reason,
        tone: 'error',
      })
    if (state.type === 'not-offered')
      showToast({
        title: subscriptionsText.subscriptionActions.notSubscribed,
        detail: subscriptionsText.subscriptionActions.notDeclared,
        tone: 'warn',
      })
  } catch (error) {
    showFailure(subscriptionsText.subscriptionActions.notSubscribed, error)
  }
}

/** Ends a subscription. Never rejects: a failure is shown as a notice. */
export async function unsubscribe(serverId: string, uri: string): Promise<void> {
  try {
    await api.inspection.unsubscribe({ serverId, uri })
  } catch (error) {
    showFailure(subscriptionsText.subscriptionActions.unsubscribedHereOnly, error)
  }
}
