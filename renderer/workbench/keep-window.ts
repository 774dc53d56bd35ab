import { live } from '../host/live.ts'
import { selectedServer } from '../state/selection.ts'
import { keptText, readKept, type KeptWindow } from './kept-window.ts'
import { activateTab, closeTabsOf, openTabs, tabId } from './tabs-store.ts'
import { allWorks, putBackWork, workChanges } from './work-store.ts'

const KEY = 'patchbay.window'
/** Milliseconds after a change; a page that crashes loses no more than what was typed in them. */
const SAVE_AFTER_MS = 1_000
/** Characters; a browser keeps about five million for a page. */
const MAX_LENGTH = 2_000_000

/**
 * Brings back the open tabs and what was typed in them from before the page was loaded again, and keeps them from now
 * on. They stay with this window and go with it; answers and their history are not among them.
 */
export function keepWindow(storage: Pick<Storage, 'getItem' | 'setItem'>): void {
  bringBack(storage.getItem(KEY))
  let timer: ReturnType<typeof setTimeout> | undefined
  const save = (): void => {
    clearTimeout(timer)
    timer = undefined
    storage.setItem(KEY, keptText(windowNow(), MAX_LENGTH))
  }
  const saveSoon = (): void => {
    timer ??= setTimeout(save, SAVE_AFTER_MS)
  }
  for (const changes of [openTabs, selectedServer, workChanges]) changes.subscribe(saveSoon)
  globalThis.addEventListener('pagehide', save)
}

function windowNow(): KeptWindow {
  const { tabs, activeId } = openTabs.get()
  const isOpen = new Set(tabs.map(({ id }) => id))
  const rank = (id: string): number => (id === activeId ? 0 : isOpen.has(id) ? 1 : 2)
  const works = Array.from(allWorks(), ([id, work]) => {
    const { schema, arguments: typed, page, listed } = work.get()
    return [id, { schema, arguments: typed, page, ...(listed !== undefined && { listed }) }] as const
  })
  return {
    serverId: selectedServer.get(),
    tabs: tabs.map(({ target }) => target),
    activeId,
    works: works.sort(([a], [b]) => rank(a) - rank(b)),
  }
}

function bringBack(text: string | null): void {
  const kept = text === null ? undefined : readKept(text)
  if (kept === undefined) return
  for (const [id, work] of kept.works) putBackWork(id, work)
  openTabs.set({ tabs: kept.tabs.map((target) => ({ id: tabId(target), target })), activeId: undefined })
  if (kept.activeId !== undefined) activateTab(kept.activeId)
  selectedServer.set(kept.serverId)
  const forget = live.ready.subscribe(() => {
    forget()
    dropStrangers()
  })
}

/** Servers that were removed meanwhile, or belong to another profile, have no tabs. */
function dropStrangers(): void {
  const known = new Set(live.servers.get().map(({ id }) => id))
  for (const { target } of openTabs.get().tabs) if (!known.has(target.serverId)) closeTabsOf(target.serverId)
  const selected = selectedServer.get()
  if (selected !== undefined && !known.has(selected)) selectedServer.set(undefined)
}
