import { ORPCError } from '@orpc/client'
import type { RequestOutcome } from '../../server-core/host/contract/inspect.ts'
import { api, hostSession } from '../host/api.ts'
import { HostUnreachableError } from '../host/port.ts'
import { addEndedCalls, changeWork, endCall, type Running, type Work } from './work-store.ts'
import type { Observable } from '../state/observable.ts'
import { messageOf } from '../../server-core/protocol/error-message.ts'

/**
 * Notes in the work of a tab what becomes of a call. The host runs the call, so a lost connection to the host does not
 * end it: the outcome is fetched over the next one.
 *
 * @param ask sends the call, or asks for the outcome of one that is running
 */
export async function followCall(
  work: Observable<Work>,
  call: Running,
  ask: () => Promise<RequestOutcome>,
): Promise<void> {
  const opened = hostSession.opened.get()
  try {
    endCall(work, call, await ask())
  } catch (error) {
    const isLost = !(error instanceof ORPCError) && !(error instanceof HostUnreachableError)
    if (isLost) {
      await openedAfter(opened)
      await followCall(work, call, () => api.inspect.outcome({ callId: call.callId }))
      return
    }
    endCall(work, call, {
      type: 'failure',
      code: codeOf(error),
      message: messageOf(error),
      durationMs: Date.now() - call.at,
      revision: '',
    })
  }
}

/** Tabs whose calls were fetched since the page was loaded. */
const restored = new Set<string>()

/** Shows in a tab the calls that the host knows of it, from before the page was loaded. Fetches them once. */
export async function restoreCalls(tab: string, work: Observable<Work>): Promise<void> {
  if (restored.has(tab)) return
  restored.add(tab)
  try {
    const { running, ended } = await api.inspect.calls({ tab })
    addEndedCalls(work, ended)
    const [oldest] = running
    if (oldest === undefined || work.get().running !== undefined) return
    const call: Running = { callId: oldest.callId, at: oldest.at, text: oldest.argumentsText }
    changeWork(work, { running: call })
    await followCall(work, call, () => api.inspect.outcome({ callId: call.callId }))
  } catch (error) {
    // The session shows that the connection is lost; the calls are fetched when the tab is shown next.
    restored.delete(tab)
    if (hostSession.state.get().status === 'open') throw error
  }
}

/** Resolves when the host was reached more often than that. */
function openedAfter(count: number): Promise<void> {
  return new Promise((resolve) => {
    if (hostSession.opened.get() > count) {
      resolve()
      return
    }
    const stop = hostSession.opened.subscribe(() => {
      stop()
      resolve()
    })
  })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'not-sent'
}
