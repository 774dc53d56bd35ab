import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import type { TimelineState } from './selection.ts'

const ExchangeMenu = lazy(() => import('../exchange-menu/exchange-menu.tsx'))

type Opened = { readonly row: Exchange; readonly at: { readonly x: number; readonly y: number } }

/** The menu of a row, loaded when it is opened first: what opens it, and itself. */
export function useRowMenu(
  { timeline, framesOpen }: TimelineState,
  recording?: string | ((row: Exchange) => string | undefined),
): { readonly openMenu: (row: Exchange, at: Opened['at']) => void; readonly menu: ReactNode } {
  const [opened, setOpened] = useState<Opened | undefined>(undefined)
  return {
    openMenu: (row, at) => setOpened({ row, at }),
    menu: opened !== undefined && (
      <Suspense fallback={null}>
        <ExchangeMenu
          key={`${opened.row.id} ${opened.at.x} ${opened.at.y}`}
          row={opened.row}
          at={opened.at}
          rows={timeline.view.get().rows}
          recording={typeof recording === 'function' ? recording(opened.row) : recording}
          onShowFrames={() => framesOpen.set(true)}
          onClose={() => setOpened(undefined)}
        />
      </Suspense>
    ),
  }
}
