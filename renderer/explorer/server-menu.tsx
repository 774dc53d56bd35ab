import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { Menu, type MenuEntry } from '../controls/menu.tsx'
import { showFailure } from '../controls/toast.tsx'
import { api } from '../host/api.ts'
import { readAgain } from '../host/lists.ts'
import { queryClient } from '../host/live.ts'
import { pagedServers, setPaged } from '../host/paged-lists.ts'
import { ALL_KINDS } from '../host/stale-lists.ts'
import { openAddToClient } from '../install/dialogs.ts'
import { useObservable } from '../state/observable.ts'
import { openEditServer } from '../servers/dialogs.ts'
import {
  connectServer,
  disconnectServer,
  removeServer,
  restartServer,
  showServer,
} from '../servers/server-actions.ts'
import { restartWord } from '../servers/server-look.ts'
import { pagesOf, SERVER_PAGES } from '../workbench/server-pages.ts'
import { openTab } from '../workbench/tabs-store.ts'
import { explorerText } from './text.ts'

/** Every action for the selected server. */
export function ServerMenu({ server }: { server: ServerState }) {
  const isPaged = useObservable(pagedServers).has(server.id)
  return (
    <Menu
      trigger={<IconButton label={explorerText.serverMenu.serverMenu} icon="more" />}
      entries={entriesFor(server, isPaged)}
    />
  )
}

function entriesFor(server: ServerState, isPaged: boolean): readonly MenuEntry[] {
  const approved = server.approval === 'approved'
  return [
    {
      type: 'item',
      label: explorerText.serverMenu.serverPage,
      icon: 'server',
      onSelect: () => showServer(server.id),
    },
    {
      type: 'item',
      label: explorerText.serverMenu.refreshLists,
      icon: 'undo',
      disabled: server.status !== 'connected',
      onSelect: () => void refreshLists(server.id),
    },
    {
      type: 'check',
      label: explorerText.serverMenu.paginateManually,
      checked: isPaged,
      onChange: (checked) => {
        setPaged(server.id, checked)
        readAgain(queryClient, server.id, ALL_KINDS)
      },
    },
    { type: 'separator', key: 'pages' },
    ...pagesOf(server).map((page) => ({
      type: 'item' as const,
      label: SERVER_PAGES[page].title,
      icon: SERVER_PAGES[page].icon,
      onSelect: () => openTab({ kind: 'page', serverId: server.id, page }),
    })),
    { type: 'separator', key: 'life' },
    ...connectionEntries(server),
    {
      type: 'item',
      label: restartWord(server),
      icon: 'restart',
      keys: 'alt+r',
      disabled: !approved,
      onSelect: () => void restartServer(server),
    },
    {
      type: 'item',
      label: explorerText.serverMenu.addToClient,
      icon: 'export',
      disabled: !approved,
      onSelect: () => openAddToClient(server.origin === 'embedded' ? undefined : server),
    },
    ...(server.origin === 'embedded'
      ? []
      : ([
          { type: 'separator', key: 'entry' },
          {
            type: 'item',
            label: explorerText.serverMenu.edit,
            icon: 'settings',
            onSelect: () => openEditServer(server.id),
          },
          {
            type: 'item',
            label: explorerText.serverMenu.remove,
            icon: 'trash',
            keys: 'Delete',
            onSelect: () => void removeServer(server),
          },
        ] satisfies MenuEntry[])),
  ]
}

/** Reads the lists from the server again. Never rejects: a failure is shown as a notice. */
async function refreshLists(serverId: string): Promise<void> {
  try {
    await api.inspect.refreshLists({ serverId })
  } catch (error) {
    showFailure(explorerText.serverMenu.refreshFailed, error)
  }
}

/** What ends or begins a connection, besides beginning it again: that is all there is to do after a failure. */
function connectionEntries(server: ServerState): readonly MenuEntry[] {
  if (server.status === 'connected' || server.status === 'connecting') {
    return [
      {
        type: 'item',
        label: explorerText.serverMenu.disconnect,
        icon: 'stop',
        onSelect: () => void disconnectServer(server),
      },
    ]
  }
  if (server.approval !== 'approved') {
    return [
      {
        type: 'item',
        label: explorerText.serverMenu.approve,
        icon: 'plug',
        onSelect: () => showServer(server.id),
      },
    ]
  }
  if (server.status === 'failed') return []
  return [
    {
      type: 'item',
      label: explorerText.serverMenu.connect,
      icon: 'plug',
      onSelect: () => void connectServer(server),
    },
  ]
}
