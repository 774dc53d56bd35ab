import type { ServerState } from '../../server-core/host/contract/servers.ts'
import type { IconName } from '../controls/icon.tsx'
import { PAGE_ICONS } from './page-icons.ts'
import { openTab, PAGE_TITLES, type PageName } from './tabs-store.ts'

export interface ServerPageLink {
  readonly page: PageName
  readonly title: string
  readonly icon: IconName
  readonly open: () => void
}

/** The pages that a server has beside its own. */
export function pagesOf(server: Pick<ServerState, 'id' | 'transport' | 'origin'>): readonly ServerPageLink[] {
  // Authorization is a matter of HTTP, and our own server is reached without.
  const isFar = server.transport !== 'stdio' && server.origin !== 'embedded'
  const pages: readonly PageName[] = [
    'composer',
    'subscriptions',
    'tasks',
    ...(isFar ? (['authorization'] as const) : []),
  ]
  return pages.map((page) => ({
    page,
    title: PAGE_TITLES[page],
    icon: PAGE_ICONS[page],
    open: () => openTab({ kind: 'page', serverId: server.id, page }),
  }))
}
