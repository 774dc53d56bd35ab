import { flushSync } from 'react-dom'
import { askToClose } from '../editor/file-actions.ts'
import { openFiles } from '../editor/open-files.ts'
import { closePage, openPage, registryPages, showFiles } from './registry-view.ts'

export type RegistryPanel = 'entries' | 'editor' | 'script log' | 'side'

/** Brings a panel of the registry into sight, should it share its place with another. `isNarrow`: it may. */
export function showRegistryPanel(panel: RegistryPanel, isNarrow: boolean): void {
  if (!isNarrow) return
  if (panel === 'side') flushSync(() => openPage({ kind: 'side' }))
  else if (panel === 'editor') flushSync(showFiles)
}

/** Closes the active tab, a page or a file, but not the column that is a tab in a narrow window. */
export function closeFront(): void {
  const { front } = registryPages.get()
  if (front?.kind === 'side') return
  if (front !== undefined) closePage(front)
  else {
    const { active } = openFiles.get()
    if (active !== undefined) askToClose(active)
  }
}
