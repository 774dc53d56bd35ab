import { showPage } from '../state/page.ts'
import { showDock } from './dock.ts'
import { focusPanel } from './panel-walk.ts'

/** The panels of the inspector, in the order in which F6 walks through them. */
export const INSPECTOR_PANELS = ['servers', 'explorer', 'workbench', 'timeline', 'inbox'] as const

/** Shows a panel of the inspector, also if it shares its place with another one, and focuses it. */
export function goToPanel(panel: (typeof INSPECTOR_PANELS)[number]): void {
  showPage('inspector')
  if (panel === 'timeline' || panel === 'inbox') showDock(panel)
  focusPanel(panel)
}
