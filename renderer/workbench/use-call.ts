import { useMutation } from '@tanstack/react-query'
import { api } from '../host/api.ts'
import { showFailure } from '../controls/toast.tsx'
import type { Observable } from '../state/observable.ts'
import { changeWork, endCall, type Running, type Work } from './work-store.ts'

/** A request as it is sent: its method and its parameters as JSON text. */
export type Request = { readonly method: string; readonly paramsText: string }

type Sent = {
  readonly work: Observable<Work>
  readonly serverId: string
  readonly request: Request
  readonly call: Running
}

/** Sends requests from a tab. The answer goes into the tab's work, also when the tab is hidden by then. */
export function useCall(work: Observable<Work>, serverId: string) {
  const { mutate } = useMutation({
    mutationKey: ['inspect', 'request', serverId],
    mutationFn: ({ request, call, serverId: to }: Sent) =>
      api.inspect.request({
        serverId: to,
        callId: call.callId,
        method: request.method,
        paramsText: request.paramsText,
      }),
    onSuccess: (outcome, sent) => endCall(sent.work, sent.call, outcome),
    onError: (error, sent) => {
      endCall(sent.work, sent.call, {
        type: 'failure',
        code: codeOf(error),
        message: error.message,
        durationMs: Date.now() - sent.call.at,
        revision: '',
      })
    },
  })

  const send = (request: Request, text: string): void => {
    const call: Running = { callId: crypto.randomUUID(), at: Date.now(), text }
    changeWork(work, { running: call })
    mutate({ work, serverId, request, call })
  }

  const cancel = (): void => {
    const running = work.get().running
    if (running === undefined) return
    api.inspect.cancel({ callId: running.callId }).catch((error: unknown) => {
      showFailure('The request was not cancelled', error)
    })
  }

  return { send, cancel }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'not-sent'
}
