import { useEffect, useRef, type KeyboardEvent } from 'react'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { classes } from '../controls/classes.ts'
import { Icon, type IconName } from '../controls/icon.tsx'
import { useServers } from '../host/live.ts'
import { SafeText } from '../text/safe-text.tsx'
import styles from './doc-tabs.module.css'
import { PAGE_ICONS } from './page-icons.ts'
import { activateTab, closeTab, tabName, useTabs, type Tab, type TabTarget } from './tabs-store.ts'

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

/** The strip of open tabs. Arrow keys walk it, Delete closes the one that has the focus. */
export function DocTabs() {
  const { tabs, activeId } = useTabs()
  const servers = useServers()
  const list = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const active = list.current?.querySelector('[aria-selected="true"]')
    active?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [activeId])

  const focusTab = (place: number): void => {
    const tab = tabs[place]
    if (tab === undefined) return
    activateTab(tab.id)
    const elements = list.current?.querySelectorAll<HTMLElement>('[role="tab"]')
    elements?.[place]?.focus()
  }

  const onKeyDown = (event: KeyboardEvent, place: number, tab: Tab): void => {
    if (event.key === 'ArrowRight') focusTab((place + 1) % tabs.length)
    else if (event.key === 'ArrowLeft') focusTab((place + tabs.length - 1) % tabs.length)
    else if (event.key === 'Home') focusTab(0)
    else if (event.key === 'End') focusTab(tabs.length - 1)
    else if (event.key === 'Delete') closeAndStay(tab)
    else return
    event.preventDefault()
  }

  const closeAndStay = (tab: Tab): void => {
    closeTab(tab.id)
    requestAnimationFrame(() => {
      list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus()
    })
  }

  return (
    <div className={styles.strip}>
      <div ref={list} role="tablist" aria-label="Open items" className={styles.list}>
        {tabs.map((tab, place) => {
          const isActive = tab.id === activeId
          const server = servers.find(({ id }) => id === tab.target.serverId)?.name ?? 'removed server'
          const isServer = tab.target.kind === 'server'
          const name = isServer ? server : tabName(tab.target)
          return (
            <div
              key={tab.id}
              id={tabElementId(tab)}
              role="tab"
              aria-selected={isActive}
              aria-controls={isActive ? 'workbench-panel' : undefined}
              tabIndex={isActive ? 0 : -1}
              title={visibleText(isServer ? name : `${name}, ${server}. Delete closes the tab.`)}
              className={classes(styles.tab, isActive && styles.active)}
              {...(isActive ? { 'data-panel-focus': true } : {})}
              onClick={() => activateTab(tab.id)}
              onAuxClick={(event) => {
                if (event.button === 1) closeTab(tab.id)
              }}
              onKeyDown={(event) => onKeyDown(event, place, tab)}
            >
              <Icon
                name={tab.target.kind === 'page' ? PAGE_ICONS[tab.target.page] : ICONS[tab.target.kind]}
              />
              <span className="clip">
                <SafeText>{name}</SafeText>
              </span>
              {!isServer && (
                <span className={classes(styles.server, 'clip')}>
                  <SafeText>{server}</SafeText>
                </span>
              )}
              <span
                className={styles.close}
                aria-hidden="true"
                onClick={(event) => {
                  event.stopPropagation()
                  closeTab(tab.id)
                }}
              >
                <Icon name="close" small />
              </span>
            </div>
          )
        })}
      </div>
    </div>
  )
}
