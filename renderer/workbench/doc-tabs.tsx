import type { IconName } from '../controls/icon.tsx'
import { TabStrip, type StripTab } from '../controls/tab-strip.tsx'
import { useServers } from '../host/live.ts'
import { SERVER_PAGES } from './server-pages.ts'
import { activateTab, closeTab, tabName, useTabs, type Tab, type TabTarget } from './tabs-store.ts'
import { workbenchText } from './text.ts'

const ICONS: Record<Exclude<TabTarget['kind'], 'page'>, IconName> = {
  tool: 'tool',
  resource: 'resource',
  'resource-template': 'template',
  prompt: 'prompt',
  server: 'server',
}

/** Ids of elements have no spaces. */
export function tabElementId(tab: Tab): string {
  return `tab-${encodeURIComponent(tab.id)}`
}

/** The strip of open tabs. */
export function DocTabs() {
  const { tabs, activeId } = useTabs()
  const servers = useServers()
  const stripTabs = tabs.map((tab): StripTab => {
    const { target } = tab
    const server = servers.find(({ id }) => id === target.serverId)?.name ?? 'removed server'
    const isServer = target.kind === 'server'
    const name = isServer ? server : tabName(target)
    return {
      elementId: tabElementId(tab),
      icon: target.kind === 'page' ? SERVER_PAGES[target.page].icon : ICONS[target.kind],
      name,
      ...(!isServer && { detail: server }),
      title: isServer ? name : `${name}, ${server}`,
      isActive: tab.id === activeId,
      onSelect: () => activateTab(tab.id),
      onClose: () => closeTab(tab.id),
    }
  })
  return <TabStrip label={workbenchText.docTabs.openItems} tabs={stripTabs} panelId="workbench-panel" />
}
