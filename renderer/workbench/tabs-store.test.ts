import { beforeEach, describe, expect, it } from 'vitest'
import { activateTab, closeTab, closeTabsOf, openTab, openTabs, tabId, type TabTarget } from './tabs-store.ts'

const tool = (name: string, serverId = 's'): TabTarget => ({ kind: 'tool', serverId, name })
const names = (): string[] =>
  openTabs.get().tabs.map(({ target }) => (target.kind === 'tool' ? target.name : target.kind))
const active = (): string | undefined => {
  const { tabs, activeId } = openTabs.get()
  const target = tabs.find((tab) => tab.id === activeId)?.target
  return target?.kind === 'tool' ? target.name : undefined
}

describe('tabs', () => {
  beforeEach(() => openTabs.set({ tabs: [], activeId: undefined }))

  it('open beside the active one, and only once', () => {
    openTab(tool('a'))
    openTab(tool('b'))
    activateTab(tabId(tool('a')))
    openTab(tool('c'))
    openTab(tool('b'))
    expect(names()).toEqual(['a', 'c', 'b'])
    expect(active()).toBe('b')
  })

  it('tell servers apart that have a tool of the same name', () => {
    openTab(tool('a', 'one'))
    openTab(tool('a', 'two'))
    expect(openTabs.get().tabs).toHaveLength(2)
  })

  it('give the front to a neighbour when they close', () => {
    for (const name of ['a', 'b', 'c']) openTab(tool(name))
    activateTab(tabId(tool('b')))
    closeTab(tabId(tool('b')))
    expect(active()).toBe('c')
    closeTab(tabId(tool('c')))
    expect(active()).toBe('a')
    closeTab(tabId(tool('a')))
    expect(openTabs.get()).toEqual({ tabs: [], activeId: undefined })
  })

  it('close with their server', () => {
    openTab(tool('a', 'one'))
    openTab(tool('b', 'two'))
    openTab({ kind: 'server', serverId: 'two' })
    closeTabsOf('two')
    expect(names()).toEqual(['a'])
    expect(active()).toBe('a')
  })
})
