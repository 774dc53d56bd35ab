import { useEffect } from 'react'
import { api, hostSession } from '../host/api.ts'
import { resourceUpdates, streamFailure } from '../host/live.ts'
import { useObservable } from '../state/observable.ts'
import { useTabs } from './tabs-store.ts'
import { changeWork, workOf } from './work-store.ts'

/** What the work of a resource's tab begins with: there is nothing to fill in. */
export const NO_ARGUMENTS = { type: 'object', additionalProperties: false }

/** Has the host watch every resource that is open in a tab, in front or not; shows nothing itself. */
export function ResourceWatches() {
  const { tabs } = useTabs()
  return tabs.map(({ id, target }) =>
    target.kind === 'resource' ? (
      <ResourceWatch key={id} id={id} serverId={target.serverId} uri={target.uri} />
    ) : null,
  )
}

interface ResourceWatchProps {
  id: string
  serverId: string
  uri: string
}

/** Watches one resource (MCP, resources: subscriptions) and notes in the tab's work when it changed. */
function ResourceWatch({ id, serverId, uri }: ResourceWatchProps) {
  const opened = useObservable(hostSession.opened)

  useEffect(() => {
    const abort = new AbortController()
    void watch(serverId, uri, abort.signal)
    return () => abort.abort()
  }, [opened, serverId, uri])

  useEffect(
    () =>
      resourceUpdates.subscribe(() => {
        const isThis = resourceUpdates
          .get()
          .some((update) => update.serverId === serverId && update.uri === uri)
        if (isThis) changeWork(workOf(id, NO_ARGUMENTS, 'call'), { changedAt: Date.now() })
      }),
    [id, serverId, uri],
  )

  return null
}

/** Keeps the watch open until the signal aborts. The updates themselves come with everything else that is streamed. */
async function watch(serverId: string, uri: string, signal: AbortSignal): Promise<void> {
  try {
    const states = await api.inspect.watchResource({ serverId, uri }, { signal })
    while ((await states.next()).done !== true);
  } catch (error) {
    // A lost connection is told by the session's state, and a new one begins the watch anew.
    if (signal.aborted || hostSession.state.get().status !== 'open') return
    streamFailure.set(error instanceof Error ? error : new Error(String(error)))
  }
}
