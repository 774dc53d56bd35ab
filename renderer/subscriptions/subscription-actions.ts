import { showFailure, showToast } from '../controls/toast.tsx'
import { api } from '../host/api.ts'

/** Subscribes to a resource until `unsubscribe`. Never rejects: a failure is shown as a notice. */
export async function subscribe(serverId: string, uri: string): Promise<void> {
  try {
    const { state } = await api.inspection.subscribe({ serverId, uri })
    if (state.type === 'refused') showToast({ title: 'Not subscribed', detail: state.reason, tone: 'error' })
    if (state.type === 'not-offered')
      showToast({
        title: 'Not subscribed',
        detail: 'The server does not declare resources.subscribe.',
        tone: 'warn',
      })
  } catch (error) {
    showFailure('Not subscribed', error)
  }
}

/** Ends a subscription. Never rejects: a failure is shown as a notice. */
export async function unsubscribe(serverId: string, uri: string): Promise<void> {
  try {
    await api.inspection.unsubscribe({ serverId, uri })
  } catch (error) {
    showFailure('Unsubscribed here, but not on the server', error)
  }
}
