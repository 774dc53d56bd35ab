import { showFailure, showToast } from '../controls/toast.tsx'
import { api } from '../host/api.ts'

/** Subscribes to a resource until `drop`. Never rejects: what went wrong is told. */
export async function keep(serverId: string, uri: string): Promise<void> {
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
    showFailure('Nothing was subscribed', error)
  }
}

/** Ends a subscription. Never rejects: what went wrong is told. */
export async function drop(serverId: string, uri: string): Promise<void> {
  try {
    await api.inspection.unsubscribe({ serverId, uri })
  } catch (error) {
    showFailure('The subscription was ended here only', error)
  }
}
