import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { Menu, type MenuEntry } from '../controls/menu.tsx'
import { query } from '../host/api.ts'
import { queryClient } from '../host/live.ts'
import { openEditServer } from '../servers/dialogs.ts'
import {
  connectServer,
  disconnectServer,
  removeServer,
  restartServer,
  showServer,
} from '../servers/server-actions.ts'

/** Every deed for the selected server. */
export function ServerMenu({ server }: { server: ServerState }) {
  return <Menu trigger={<IconButton label="Server menu" icon="more" />} entries={entriesFor(server)} />
}

function entriesFor(server: ServerState): readonly MenuEntry[] {
  const up = server.status === 'connected' || server.status === 'connecting'
  const approved = server.approval === 'approved'
  return [
    { type: 'item', label: 'Server page', icon: 'server', onSelect: () => showServer(server.id) },
    {
      type: 'item',
      label: 'Fetch the lists again',
      icon: 'undo',
      disabled: server.status !== 'connected',
      onSelect: () =>
        void queryClient.invalidateQueries({
          queryKey: query.inspect.lists.key({ input: { serverId: server.id } }),
        }),
    },
    { type: 'separator', key: 'life' },
    up
      ? { type: 'item', label: 'Disconnect', icon: 'stop', onSelect: () => void disconnectServer(server) }
      : {
          type: 'item',
          label: approved ? 'Connect' : 'Approve…',
          icon: 'plug',
          onSelect: () => (approved ? void connectServer(server) : showServer(server.id)),
        },
    {
      type: 'item',
      label: server.transport === 'stdio' ? 'Restart' : 'Connect again',
      icon: 'restart',
      keys: 'alt+r',
      disabled: !approved,
      onSelect: () => void restartServer(server),
    },
    ...(server.origin === 'embedded'
      ? []
      : ([
          { type: 'separator', key: 'entry' },
          { type: 'item', label: 'Edit…', icon: 'settings', onSelect: () => openEditServer(server.id) },
          {
            type: 'item',
            label: 'Remove',
            icon: 'trash',
            keys: 'Delete',
            onSelect: () => void removeServer(server),
          },
        ] satisfies MenuEntry[])),
  ]
}
