import type { KeyboardEvent } from 'react'
import tabStyles from '../controls/tabs.module.css'
import { useWaiting } from '../inbox/inbox-state.ts'
import { showDock, type DockPanel } from './dock.ts'
import { useNarrow } from './narrow.ts'
import { focusPanelTab } from './panel-walk.ts'
import { appText } from './text.ts'

const TITLES = { timeline: 'Timeline', inbox: 'Inbox' } as const
const PANELS: readonly DockPanel[] = ['timeline', 'inbox']

/** The title of a panel at the bottom: in a narrow window, where the two share a place, the tabs that change them. */
export function DockTitle({ panel }: { panel: DockPanel }) {
  const isNarrow = useNarrow()
  const waiting = useWaiting()
  if (!isNarrow) return <h2>{TITLES[panel]}</h2>

  // The bar that holds the tabs goes with its panel, and the focus goes over to the tab of the other one.
  const show = (next: DockPanel): void => {
    showDock(next)
    focusPanelTab(next)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    show(panel === 'timeline' ? 'inbox' : 'timeline')
  }
  return (
    <>
      <h2 className="vh">{TITLES[panel]}</h2>
      <div
        role="tablist"
        aria-label={appText.dockTitle.dock}
        className={tabStyles.list}
        onKeyDown={onKeyDown}
      >
        {PANELS.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            aria-selected={each === panel}
            tabIndex={each === panel ? 0 : -1}
            className={tabStyles.tab}
            {...(each === panel ? { 'data-active': '' } : {})}
            onClick={() => show(each)}
          >
            {TITLES[each]}
            {each === 'inbox' && panel !== 'inbox' && waiting > 0 && (
              <>
                {' '}
                <span className="count">{waiting}</span>
              </>
            )}
          </button>
        ))}
      </div>
    </>
  )
}
