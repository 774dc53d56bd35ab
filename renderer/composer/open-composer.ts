import { openTab } from '../workbench/tabs-store.ts'
import { compose, composingOf } from './composer-store.ts'

/** Opens the composer of a server, with a text to begin with if one is given. */
export function openComposer(serverId: string, text?: string): void {
  if (text !== undefined) compose(composingOf(serverId), { mode: 'text', text })
  openTab({ kind: 'page', serverId, page: 'composer' })
}
