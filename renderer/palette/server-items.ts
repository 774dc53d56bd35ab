import { useQueries } from '@tanstack/react-query'
import type { Lists } from '../../server-core/host/contract/inspect.ts'
import type { ServerState } from '../../server-core/host/contract/servers.ts'
import type { IconName } from '../controls/icon.tsx'
import { entriesOf, sectionNames, targetOf, type SectionName } from '../explorer/entries.ts'
import { listsOptions } from '../host/lists.ts'
import { useServers } from '../host/live.ts'
import { selectServer } from '../servers/server-actions.ts'
import { stateOf } from '../servers/server-look.ts'
import { selectedServer } from '../state/selection.ts'
import { focusTabWhenThere } from '../workbench/focus-tab.ts'
import { openTab } from '../workbench/tabs-store.ts'
import type { ItemGroup, PaletteItem } from './items.ts'

const icons: Record<SectionName, IconName> = {
  tools: 'tool',
  resources: 'resource',
  resourceTemplates: 'template',
  prompts: 'prompt',
}

const groups: Record<SectionName, ItemGroup> = {
  tools: 'Tools',
  resources: 'Resources',
  resourceTemplates: 'Templates',
  prompts: 'Prompts',
}

function itemsOf(server: ServerState, lists: Lists): PaletteItem[] {
  const entries = entriesOf(lists)
  return sectionNames.flatMap((section) =>
    entries[section].map((entry, index) => ({
      id: `${server.id}/${section}/${index}`,
      group: groups[section],
      icon: icons[section],
      name: entry.label,
      where: server.name,
      keys: undefined,
      run: () => {
        selectedServer.set(server.id)
        openTab(targetOf(entry, server.id))
        focusTabWhenThere()
      },
    })),
  )
}

type ServerItems = {
  readonly items: readonly PaletteItem[]
  /** What some of them list is not known yet. */
  readonly isListing: boolean
}

/** Every server, and what the connected ones list. */
export function useServerItems(): ServerItems {
  const servers = useServers()
  const connected = servers.filter((server) => server.status === 'connected')
  const listed = useQueries({
    queries: connected.map((server) => listsOptions(server.id)),
  })
  const items = [
    ...servers.map((server): PaletteItem => ({
      id: server.id,
      group: 'Servers',
      icon: 'server',
      name: server.name,
      where: stateOf(server).word,
      keys: undefined,
      run: () => {
        selectServer(server)
        focusTabWhenThere()
      },
    })),
    ...connected.flatMap((server, index) => {
      const lists = listed[index]?.data
      return lists === undefined ? [] : itemsOf(server, lists)
    }),
  ]
  return { items, isListing: listed.some(({ isLoading }) => isLoading) }
}
