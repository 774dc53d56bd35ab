import { useEffect } from 'react'
import { api } from '../host/api.ts'
import { showFailure } from '../controls/toast.tsx'
import type { Observable } from '../state/observable.ts'
import { followCall, restoreCalls } from './follow-call.ts'
import { changeWork, type Running, type Work } from './work-store.ts'
import { workbenchText } from './text.ts'

/** A request as it is sent: its method and its parameters as JSON text. */
export type Request = { readonly method: string; readonly paramsText: string }

/**
 * Sends requests from a tab. The outcome goes into the tab's work, also when the tab is hidden by then or the page was
 * loaded again.
 */
export function useCall(tab: string, work: Observable<Work>, serverId: string) {
  useEffect(() => void restoreCalls(tab, work), [tab, work])

  const send = (request: Request, text: string): void => {
    const call: Running = { callId: crypto.randomUUID(), at: Date.now(), text }
    changeWork(work, { running: call })
    const { callId } = call
    void followCall(work, call, () =>
      api.inspect.request({ serverId, callId, tab, argumentsText: text, ...request }),
    )
  }

  const cancel = (): void => {
    const { running } = work.get()
    if (running === undefined || running.isCancelling === true) return
    changeWork(work, { running: { ...running, isCancelling: true } })
    api.inspect.cancel({ callId: running.callId }).catch((error: unknown) => {
      const { running: now } = work.get()
      if (now?.callId === running.callId) changeWork(work, { running })
      showFailure(workbenchText.useCall.cancelFailed, error)
    })
  }

  return { send, cancel }
}
