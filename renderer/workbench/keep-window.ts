import { PART_LENGTH } from '../../server-core/host/contract/window-state.ts'
import { live } from '../host/live.ts'
import { selectedServer } from '../state/selection.ts'
import { Persisted } from '../state/persisted.ts'
import { keptText, keptWindowSchema, parseKept, type KeptWindow } from './kept-window.ts'
import { leaveOutStuckTab } from './opening-tab.ts'
import { activateTab, closeTabsOf, openTabs, tabId } from './tabs-store.ts'
import { allWorks, restoreArguments, workChanges } from './work-store.ts'
import { workbenchText } from './text.ts'
import { withoutSecrets } from './without-secrets.ts'

/** Characters; a browser keeps about five million for a page. */
const MAX_LENGTH = 2_000_000

const stored = new Persisted({
  key: 'patchbay.window',
  name: workbenchText.keepWindow.openTabs,
  schema: keptWindowSchema,
  maxLength: MAX_LENGTH,
  parse: parseKept,
  stringify: (window) => keptText(window, MAX_LENGTH),
  part: { name: 'tabs', stringify: (window) => keptText(storable(window), PART_LENGTH) },
})

/**
 * Brings back the open tabs and what was typed in them from before the page was loaded again or Patchbay was started
 * again, and keeps them from now on. The host has the answers and their history.
 */
export function keepWindow(): void {
  bringBack()
  const save = (): void => stored.saveSoon(windowNow)
  for (const changes of [openTabs, selectedServer, workChanges]) changes.subscribe(save)
}

/** Whether this window had tabs before its page was loaded again. */
export function hasOwnWindow(): boolean {
  return stored.hasOwn
}

/** The window as it may be on the disk. */
function storable(window: KeptWindow): KeptWindow {
  const works = window.works.map(
    ([id, work]) => [id, { ...work, arguments: withoutSecrets(work.arguments) }] as const,
  )
  return { ...window, works }
}

function windowNow(): KeptWindow {
  const { tabs, activeId } = openTabs.get()
  const isOpen = new Set(tabs.map(({ id }) => id))
  const rank = (id: string): number => (id === activeId ? 0 : isOpen.has(id) ? 1 : 2)
  const works = Array.from(allWorks(), ([id, work]) => {
    const { schema, arguments: typed, page, view, listed, readsUpdates, running } = work.get()
    // The result of a call that runs is what is to be shown next.
    const showing = running === undefined ? (work.get().shown?.id ?? work.get().shownBefore) : undefined
    const chosen = {
      ...(listed !== undefined && { listed }),
      ...(view !== undefined && { view }),
      ...(showing !== undefined && { shownBefore: showing }),
      ...(readsUpdates === true && { readsUpdates }),
    }
    return [id, { schema, arguments: typed, page, ...chosen }] as const
  })
  return {
    serverId: selectedServer.get(),
    tabs: tabs.map(({ target }) => target),
    activeId,
    works: works.sort(([a], [b]) => rank(a) - rank(b)),
  }
}

function bringBack(): void {
  const kept = stored.load()
  if (kept === undefined) return
  for (const [id, work] of kept.works) restoreArguments(id, work)
  openTabs.set({ tabs: kept.tabs.map((target) => ({ id: tabId(target), target })), activeId: undefined })
  if (kept.activeId !== undefined) activateTab(kept.activeId)
  leaveOutStuckTab()
  selectedServer.set(kept.serverId)
  if (live.ready.get()) dropStrangers()
  else {
    const forget = live.ready.subscribe(() => {
      forget()
      dropStrangers()
    })
  }
}

/** Servers that were removed meanwhile, or belong to another profile, have no tabs. */
function dropStrangers(): void {
  const known = new Set(live.parts.servers.get().map(({ id }) => id))
  for (const { target } of openTabs.get().tabs) if (!known.has(target.serverId)) closeTabsOf(target.serverId)
  const selected = selectedServer.get()
  if (selected !== undefined && !known.has(selected)) selectedServer.set(undefined)
}
