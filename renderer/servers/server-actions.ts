import type { Protocol, RemoteTransport, ServerState } from '../../server-core/host/contract/servers.ts'
import { closeToasts, showFailure, showToast } from '../controls/toast.tsx'
import { api, query } from '../host/api.ts'
import { queryClient } from '../host/live.ts'
import type { Observable } from '../state/observable.ts'
import { selectedServer } from '../state/selection.ts'
import { closeTabsOf, openTab } from '../workbench/tabs-store.ts'
import { serversText } from './text.ts'

/** A failed action shows a notice; a successful one is visible in the server's state. */
async function runAction(title: string, action: () => Promise<unknown>, subject?: string): Promise<void> {
  try {
    await action()
  } catch (error) {
    showFailure(title, error, subject)
  }
}

const connectionOf = ({ id }: Pick<ServerState, 'id'>): string => `connection of ${id}`

/** Closes notices about a failed connection once the server is connected. Returns an unsubscribe function. */
export function closeOutdatedToasts(servers: Observable<readonly ServerState[]>): () => void {
  return servers.subscribe(() => {
    for (const server of servers.get()) {
      if (server.status === 'connected') closeToasts(connectionOf(server))
    }
  })
}

/** Connects an approved server. Never rejects: a failure is shown as a notice. */
export function connectServer(server: Pick<ServerState, 'id' | 'name'>): Promise<void> {
  return runAction(
    serversText.serverActions.couldNotConnect(server.name),
    () => api.servers.connect({ id: server.id }),
    connectionOf(server),
  )
}

/** Closes the connection and stops the server's process. Never rejects: a failure is shown as a notice. */
export function disconnectServer(server: Pick<ServerState, 'id' | 'name'>): Promise<void> {
  return runAction(serversText.serverActions.couldNotDisconnect(server.name), () =>
    api.servers.disconnect({ id: server.id }),
  )
}

/** Disconnects and connects again. Never rejects: a failure is shown as a notice. */
export function restartServer(server: Pick<ServerState, 'id' | 'name'>): Promise<void> {
  return runAction(
    serversText.serverActions.couldNotRestart(server.name),
    () => api.servers.restart({ id: server.id }),
    connectionOf(server),
  )
}

/**
 * Pins transport or revision, or leaves them to be found out; it connects again unless it was disconnected. Never rejects: a failure
 * rejects: a failure is shown as a notice.
 */
export function pinServer(
  server: Pick<ServerState, 'id' | 'name'>,
  pin: { readonly transport?: RemoteTransport; readonly protocol?: Protocol },
): Promise<void> {
  return runAction(serversText.serverActions.couldNotSave(server.name), () =>
    api.servers.pin({ id: server.id, ...pin }),
  )
}

/** Servers with a pending removal. */
const leaving = new Set<string>()

/** Removes a server immediately, and offers to restore it. */
export async function removeServer(server: Pick<ServerState, 'id' | 'name'>): Promise<void> {
  if (leaving.has(server.id)) return
  leaving.add(server.id)
  await runAction(serversText.serverActions.couldNotRemove(server.name), async () => {
    await api.servers.remove({ id: server.id })
    closeTabsOf(server.id)
    showToast({
      title: serversText.serverActions.removed(server.name),
      detail: serversText.serverActions.removedDetail,
      icon: 'trash',
      timeoutMs: 15_000,
      action: { label: serversText.serverActions.undo, onClick: () => void restoreServer(server) },
    })
  })
  leaving.delete(server.id)
}

function restoreServer(server: Pick<ServerState, 'id' | 'name'>): Promise<void> {
  return runAction(serversText.serverActions.couldNotRestore(server.name), async () => {
    const restored = await api.servers.restore({ id: server.id })
    selectedServer.set(restored.id)
  })
}

/** Approves the shown configuration, identified by its hash; with `start`, connects afterwards. */
export function approveServer(
  server: { id: string; name: string },
  hash: string,
  start: boolean,
): Promise<void> {
  return runAction(serversText.serverActions.couldNotApprove(server.name), async () => {
    try {
      await api.servers.approve({ id: server.id, hash })
    } catch (error) {
      // The shown approval may be outdated.
      void queryClient.invalidateQueries({
        queryKey: query.servers.approval.key({ input: { id: server.id } }),
      })
      throw error
    }
    if (start) await api.servers.connect({ id: server.id })
  })
}

/** Selects a server in the explorer and opens its page. */
export function selectServer(server: Pick<ServerState, 'id'>): void {
  selectedServer.set(server.id)
  showServer(server.id)
}

/** Opens the page of a server. */
export function showServer(serverId: string): void {
  openTab({ kind: 'server', serverId })
}
