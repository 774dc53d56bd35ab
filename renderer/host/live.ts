import { QueryClient, useQuery } from '@tanstack/react-query'
import type { AppInfo, EmbeddedState, Notice } from '../../server-core/host/contract/app.ts'
import type { AuthorizationState } from '../../server-core/host/contract/authorization.ts'
import type { Inspection } from '../../server-core/host/contract/inspection.ts'
import type { ServerLatency, ServerState } from '../../server-core/host/contract/servers.ts'
import type { Task } from '../../server-core/host/contract/tasks.ts'
import type { TrafficCounts } from '../../server-core/host/contract/traffic.ts'
import { Observable, useObservable, useSelected } from '../state/observable.ts'
import { api, hostSession, query } from './api.ts'
import { readAgain, readAllAgain } from './lists.ts'
import { LiveStore, type Progress } from './live-store.ts'
import type { HostState } from './session.ts'

/** Requests and their answers. What the host streams is in `live`. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: Infinity, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

export const live = new LiveStore()

/** Grows when a second start asked this window to come forward. */
export const activations = new Observable(0)

/** The resource that changed last, for those who show it. */
export const resourceUpdates = new Observable<readonly { serverId: string; uri: string }[]>([])

/** Opens the connection to the host and follows its stream for as long as the page lives. */
export function startLive(): void {
  hostSession.opened.subscribe(() => {
    void follow()
    if (hostSession.opened.get() > 1) readAllAgain(queryClient)
  })
  hostSession.start()
}

async function follow(): Promise<void> {
  const stream = crypto.randomUUID()
  live.begin()
  try {
    for await (const batch of await api.events.watch({ stream })) {
      live.apply(batch)
      for (const { serverId, kinds } of batch.listsChanged ?? []) readAgain(queryClient, serverId, kinds)
      if (batch.resourcesUpdated !== undefined) resourceUpdates.set(batch.resourcesUpdated)
      if (batch.activate === true) activations.set(activations.get() + 1)
      await painted()
      await api.events.acknowledge({ stream, seq: batch.seq })
    }
  } catch (error) {
    // A lost connection is shown by the session's state and begins again; anything else is ours to report.
    if (hostSession.state.get().status !== 'open') return
    streamFailure.set(error instanceof Error ? error : new Error(String(error)))
  }
}

/** Why the stream of a living connection ended; nothing on the page moves any more. */
export const streamFailure = new Observable<Error | undefined>(undefined)

/** Resolves after the next frame was drawn, or soon if the page is hidden and draws none. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 100)
    requestAnimationFrame(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Whether the host is there, and why not. */
export function useHostState(): HostState {
  return useObservable(hostSession.state)
}

/** All servers, in the order of the rail; empty until the host told them. */
export function useServers(): readonly ServerState[] {
  return useObservable(live.parts.servers)
}

/** One server; renders again only when this one changes. `undefined` without an id, or if it was removed. */
export function useServer(id: string | undefined): ServerState | undefined {
  return useSelected(live.parts.servers, (servers) => servers.find((server) => server.id === id))
}

/** How long a server takes for its calls; `undefined` before one was answered. */
export function useLatency(serverId: string | undefined): ServerLatency | undefined {
  return useSelected(live.parts.latencies, (all) => all.find((each) => each.serverId === serverId))
}

/** How much traffic is kept and how much was dropped. */
export function useCounts(): TrafficCounts {
  return useObservable(live.parts.counts)
}

/** The last progress of a running call (specification: Progress); `undefined` before there was any. */
export function useProgress(callId: string | undefined): Progress | undefined {
  return useSelected(live.progress, (progress) => (callId === undefined ? undefined : progress.get(callId)))
}

/** What the host has to tell that belongs to no single server. */
export function useNotices(): readonly Notice[] {
  return useObservable(live.parts.notices)
}

/** What is set up on a server by hand; `undefined` while nothing is. */
export function useInspection(serverId: string | undefined): Inspection | undefined {
  return useSelected(live.parts.inspections, (all) => all.find((each) => each.serverId === serverId))
}

/** How the authorization at a server stands; `undefined` before anything was asked for. */
export function useAuthorization(serverId: string): AuthorizationState | undefined {
  return useSelected(live.parts.authorizations, (all) => all.find((each) => each.serverId === serverId))
}

const NO_TASKS: readonly Task[] = []

/** The tasks of a server that are known, the newest first. */
export function useTasks(serverId: string): readonly Task[] {
  return useSelected(
    live.parts.tasks,
    (all) => all.find((each) => each.serverId === serverId)?.tasks ?? NO_TASKS,
  )
}

/** One task of a server; `undefined` if it is not on the list. */
export function useTask(serverId: string, taskId: string): Task | undefined {
  return useTasks(serverId).find((task) => task.taskId === taskId)
}

/** The server that Patchbay itself hosts; `undefined` until the host told of it. */
export function useEmbedded(): EmbeddedState | undefined {
  return useObservable(live.parts.embedded)
}

/** `undefined` until it was fetched. */
export function useAppInfo(): AppInfo | undefined {
  return useQuery(query.app.info.queryOptions()).data
}
