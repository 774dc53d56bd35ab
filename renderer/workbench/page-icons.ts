import type { IconName } from '../controls/icon.tsx'
import type { PageName } from './tabs-store.ts'

/** The drawing of each page of a server. */
export const PAGE_ICONS: Readonly<Record<PageName, IconName>> = {
  composer: 'out-request',
  subscriptions: 'in-notification',
  tasks: 'clock',
  authorization: 'key',
}
