import { showPage } from '../state/page.ts'
import { hideInbox, isInboxOpen, showInbox } from './inbox-shown.ts'
import { focusPanelWhenThere } from './panel-walk.ts'

/** The panels of the inspector, in the order in which F6 walks through them. */
export const INSPECTOR_PANELS = ['servers', 'explorer', 'workbench', 'timeline', 'inbox'] as const

/** Shows a panel of the inspector and focuses it. */
export function goToPanel(panel: (typeof INSPECTOR_PANELS)[number]): void {
  if (panel === 'inbox') showInbox()
  else showPage('inspector')
  focusPanelWhenThere(panel)
}

/** Shows the inbox and focuses it, or hides it. */
export function toggleInbox(): void {
  if (isInboxOpen.get()) hideInbox()
  else goToPanel('inbox')
}
