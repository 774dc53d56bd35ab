import { leaveWorkspaceFiles } from '../editor/keep-files.ts'
import type { LiveStore } from '../host/live-store.ts'
import { forgetWorkspace } from './registry-view.ts'

/**
 * Closes the pages and files of a workspace once another one is served, before anything of the new one is opened. Call
 * it once.
 */
export function followWorkspace(registry: LiveStore['parts']['registry']): void {
  let served: string | undefined
  registry.subscribe(() => {
    const folder = registry.get()?.workspace.folder
    const before = served
    served = folder ?? before
    if (before === undefined || before === served) return
    forgetWorkspace()
    leaveWorkspaceFiles()
  })
}
