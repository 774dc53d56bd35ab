import type { ServerState } from '../../server-core/host/contract/servers.ts'
import type { IconName } from '../controls/icon.tsx'
import { workbenchText } from './text.ts'

type ServerFacts = Pick<ServerState, 'transport' | 'origin'>

type ServerPage = {
  readonly title: string
  readonly icon: IconName
  readonly isOffered: (server: ServerFacts) => boolean
}

const always = (): boolean => true

/**
 * The pages of a server beside its own, in the order of menus. To add one, add a row here and its component to
 * `server-page-contents.ts`.
 */
export const SERVER_PAGES = {
  composer: { title: workbenchText.serverPages.composer, icon: 'out-request', isOffered: always },
  subscriptions: {
    title: workbenchText.serverPages.subscriptions,
    icon: 'in-notification',
    isOffered: always,
  },
  tasks: { title: workbenchText.serverPages.tasks, icon: 'clock', isOffered: always },
  authorization: {
    title: workbenchText.serverPages.authorization,
    icon: 'key',
    // Authorization is defined for HTTP, and the embedded server uses a token of its own.
    isOffered: ({ transport, origin }) => transport !== 'stdio' && origin !== 'embedded',
  },
} as const satisfies Record<string, ServerPage>
export type ServerPageName = keyof typeof SERVER_PAGES

/** The names of all pages, for schemas. */
export const SERVER_PAGE_NAMES = Object.keys(SERVER_PAGES) as [ServerPageName, ...ServerPageName[]]

/** Returns the pages that a server offers. */
export function pagesOf(server: ServerFacts): readonly ServerPageName[] {
  return SERVER_PAGE_NAMES.filter((name) => SERVER_PAGES[name].isOffered(server))
}
