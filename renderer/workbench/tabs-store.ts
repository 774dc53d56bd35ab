import { Observable, useObservable } from '../state/observable.ts'
import { showPage } from '../state/page.ts'
import { SERVER_PAGES, type ServerPageName } from './server-pages.ts'

/** What a tab is about. Two tabs never are about the same thing. */
export type TabTarget =
  | { readonly kind: 'tool'; readonly serverId: string; readonly name: string }
  | { readonly kind: 'resource'; readonly serverId: string; readonly uri: string }
  | { readonly kind: 'resource-template'; readonly serverId: string; readonly uriTemplate: string }
  | { readonly kind: 'prompt'; readonly serverId: string; readonly name: string }
  | { readonly kind: 'server'; readonly serverId: string }
  | { readonly kind: 'page'; readonly serverId: string; readonly page: ServerPageName }

export type Tab = { readonly id: string; readonly target: TabTarget }

export type Tabs = { readonly tabs: readonly Tab[]; readonly activeId: string | undefined }

/** The open tabs of this window. */
export const openTabs = new Observable<Tabs>({ tabs: [], activeId: undefined })

type EntryTarget = Exclude<TabTarget, { readonly kind: 'server' | 'page' }>

/** The tool, resource, template or prompt whose tab was in front last; undefined until there was one. */
export const lastEntry = new Observable<EntryTarget | undefined>(undefined)

openTabs.subscribe(() => {
  const { tabs, activeId } = openTabs.get()
  const target = tabs.find(({ id }) => id === activeId)?.target
  if (target !== undefined && target.kind !== 'server' && target.kind !== 'page') lastEntry.set(target)
})

/** Tabs of resources that the user opened and that were not shown yet. */
const unread = new Set<string>()

/** Whether the contents of a resource are still to be read because the user opened its tab; true once. */
export function takeUnread(id: string): boolean {
  return unread.delete(id)
}

/** The open tabs, in their order, and which one is in front. */
export function useTabs(): Tabs {
  return useObservable(openTabs)
}

/** The same text for the same target. */
export function tabId(target: TabTarget): string {
  return JSON.stringify([target.kind, target.serverId, tabName(target)])
}

/** What the tab is called; the name of a server is known only to the list of servers. */
export function tabName(target: TabTarget): string {
  switch (target.kind) {
    case 'tool':
    case 'prompt':
      return target.name
    case 'resource':
      return target.uri
    case 'resource-template':
      return target.uriTemplate
    case 'server':
      return ''
    case 'page':
      return SERVER_PAGES[target.page].title
  }
}

/** Brings the tab of this thing to the front, and the inspector with it; opens it right of the active one if it is not open. */
export function openTab(target: TabTarget): void {
  showPage('inspector')
  const id = tabId(target)
  const { tabs, activeId } = openTabs.get()
  if (tabs.some((tab) => tab.id === id)) {
    activateTab(id)
    return
  }
  if (target.kind === 'resource') unread.add(id)
  const active = tabs.findIndex((tab) => tab.id === activeId)
  const place = active < 0 ? tabs.length : active + 1
  openTabs.set({ tabs: tabs.toSpliced(place, 0, { id, target }), activeId: id })
}

/** Brings an open tab to the front; changes nothing if no tab has this id. */
export function activateTab(id: string): void {
  const { tabs, activeId } = openTabs.get()
  if (id === activeId || !tabs.some((tab) => tab.id === id)) return
  openTabs.set({ tabs, activeId: id })
}

/** Closes a tab; if it was active its right neighbour comes to the front, else the left one. */
export function closeTab(id: string): void {
  closeWhere((tab) => tab.id === id)
}

/** Closes every tab of a server that was removed. */
export function closeTabsOf(serverId: string): void {
  closeWhere((tab) => tab.target.serverId === serverId)
}

function closeWhere(closes: (tab: Tab) => boolean): void {
  const { tabs, activeId } = openTabs.get()
  const kept = tabs.filter((tab) => !closes(tab))
  if (kept.length === tabs.length) return
  if (kept.some((tab) => tab.id === activeId)) {
    openTabs.set({ tabs: kept, activeId })
    return
  }
  const active = tabs.findIndex((tab) => tab.id === activeId)
  const next =
    tabs.slice(active + 1).find((tab) => !closes(tab)) ??
    tabs.slice(0, active).findLast((tab) => !closes(tab))
  openTabs.set({ tabs: kept, activeId: next?.id })
}
