import { resourceUpdates } from '../host/live.ts'
import { openTabs, tabId } from './tabs-store.ts'
import { changeWork, workOf } from './work-store.ts'

/** The schema of a resource's tab, which has no arguments. */
export const NO_ARGUMENTS = { type: 'object', additionalProperties: false }

/** Notes in the work of open resource tabs that their server sent an update. To be called once. */
export function followResourceUpdates(): void {
  resourceUpdates.subscribe(() => {
    const isOpen = new Set(openTabs.get().tabs.map(({ id }) => id))
    for (const { serverId, uri } of resourceUpdates.get()) {
      const id = tabId({ kind: 'resource', serverId, uri })
      if (isOpen.has(id)) changeWork(workOf(id, NO_ARGUMENTS, 'call'), { changedAt: Date.now() })
    }
  })
}
