import { useEffect, useLayoutEffect } from 'react'
import { z } from 'zod'
import { Observable, useSelected } from '../state/observable.ts'
import { Persisted } from '../state/persisted.ts'
import { showNotice } from '../state/window-notices.ts'
import { closeTab, openTab, openTabs, tabName } from './tabs-store.ts'
import { workbenchText } from './text.ts'

/** Milliseconds after which a page that is busy, but answers, counts as idle. */
const IDLE_MS = 2_000

/** The tab that is being drawn, from before that until the page had time for something else. */
const stored = new Persisted({
  key: 'patchbay.opening-tab',
  name: workbenchText.openingTab.unnamedTab,
  schema: z.string(),
  maxLength: 100_000,
})

/** The tab that is marked, so that it may be drawn; the mark itself may be cleared again. */
const marked = new Observable<string | undefined>(undefined)

/**
 * Marks a tab as being opened before it is drawn, and clears the mark once the page is idle. If the page ends in
 * between, it was not the user who left it: a page that answers clears the mark when it is left.
 *
 * @returns whether the tab may be drawn
 */
export function useOpeningMark(id: string): boolean {
  const isMarked = useSelected(marked, (one) => one === id)
  useLayoutEffect(() => {
    stored.save(id)
    marked.set(id)
    globalThis.addEventListener('pagehide', clear)
    return () => {
      clear()
      marked.set(undefined)
    }
  }, [id])
  useEffect(() => (isMarked ? whenIdle(clear) : undefined), [isMarked])
  return isMarked
}

function clear(): void {
  stored.save(undefined)
  globalThis.removeEventListener('pagehide', clear)
}

function whenIdle(run: () => void): () => void {
  if ('requestIdleCallback' in globalThis) {
    const handle = requestIdleCallback(run, { timeout: IDLE_MS })
    return () => cancelIdleCallback(handle)
  }
  const timer = setTimeout(run, IDLE_MS)
  return () => clearTimeout(timer)
}

/** Closes the tab that never finished opening in an earlier load of the page, and shows a notice. */
export function leaveOutStuckTab(): void {
  const id = stored.load()
  if (id === undefined) return
  stored.save(undefined)
  const stuck = openTabs.get().tabs.find((tab) => tab.id === id)
  if (stuck === undefined) return
  closeTab(id)
  const name = stuck.target.kind === 'server' ? 'Server' : tabName(stuck.target)
  showNotice({
    id: 'patchbay.opening-tab',
    title: workbenchText.openingTab.notRestored(name),
    detail: workbenchText.openingTab.notRestoredDetail,
    action: { label: workbenchText.openingTab.openIt, run: () => openTab(stuck.target) },
  })
}
