import { flushSync } from 'react-dom'
import { Observable } from '../state/observable.ts'

/** What shares the bottom of a narrow window; in a wide one both are there. */
export type DockPanel = 'timeline' | 'inbox'

/** Which of them a narrow window shows. */
export const dockPanel = new Observable<DockPanel>('timeline')

/** Brings a panel of the dock into sight. It is in the page when this returns. */
export function showDock(panel: DockPanel): void {
  flushSync(() => dockPanel.set(panel))
}
