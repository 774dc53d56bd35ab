import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { SafeText } from '../text/safe-text.tsx'
import { classes } from './classes.ts'
import { Icon, type IconName } from './icon.tsx'
import styles from './tab-strip.module.css'
import { controlsText } from './text.ts'

/** One tab of a strip. */
export type StripTab = {
  /** Of its element, by which its panel is labelled. */
  readonly elementId: string
  readonly icon: IconName
  readonly name: string
  /** Beside the name, with less weight; gone in a narrow window. */
  readonly detail?: string
  /** The whole name, for the tooltip. */
  readonly title: string
  readonly isActive: boolean
  /** How many errors are in it. */
  readonly errors?: number
  readonly isUnsaved?: boolean
  readonly onSelect: () => void
  readonly onClose?: (() => void) | undefined
}

interface TabStripProps {
  /** What the tabs are. */
  label: string
  tabs: readonly StripTab[]
  /** The id of the element that shows the active one. */
  panelId: string
  /** Controls behind the tabs. */
  end?: ReactNode
}

/** What is open, as tabs. Arrow keys walk them, Delete and the middle button close one. */
export function TabStrip({ label, tabs, panelId, end }: TabStripProps) {
  const list = useRef<HTMLDivElement>(null)
  const active = tabs.find(({ isActive }) => isActive)?.elementId
  const selected = (): HTMLElement | null | undefined =>
    list.current?.querySelector<HTMLElement>('[aria-selected="true"]')

  useEffect(() => {
    selected()?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [active])

  const focusTab = (place: number): void => {
    tabs[place]?.onSelect()
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[place]?.focus()
  }
  const closeAndStay = (tab: StripTab): void => {
    tab.onClose?.()
    requestAnimationFrame(() => selected()?.focus())
  }
  const onKeyDown = (event: KeyboardEvent, place: number, tab: StripTab): void => {
    if (event.key === 'ArrowRight') focusTab((place + 1) % tabs.length)
    else if (event.key === 'ArrowLeft') focusTab((place + tabs.length - 1) % tabs.length)
    else if (event.key === 'Home') focusTab(0)
    else if (event.key === 'End') focusTab(tabs.length - 1)
    else if (event.key === 'Delete') closeAndStay(tab)
    else return
    event.preventDefault()
  }

  return (
    <div className={styles.strip}>
      {tabs.length > 0 && (
        <div ref={list} role="tablist" aria-label={label} className={styles.list}>
          {tabs.map((tab, place) => {
            const { elementId, isActive, onClose, errors = 0, isUnsaved = false } = tab
            return (
              <div
                key={elementId}
                id={elementId}
                role="tab"
                aria-selected={isActive}
                aria-controls={isActive ? panelId : undefined}
                tabIndex={isActive || (active === undefined && place === 0) ? 0 : -1}
                title={visibleText(
                  onClose === undefined ? tab.title : controlsText.tabStrip.deleteClosesTheTab(tab.title),
                )}
                className={classes(styles.tab, isActive && styles.active)}
                {...(isActive ? { 'data-panel-focus': true } : {})}
                onClick={tab.onSelect}
                onAuxClick={(event) => {
                  if (event.button === 1) onClose?.()
                }}
                onKeyDown={(event) => onKeyDown(event, place, tab)}
              >
                <Icon name={tab.icon} />
                <span className="clip">
                  <SafeText>{tab.name}</SafeText>
                </span>
                {tab.detail !== undefined && (
                  <span className={classes(styles.detail, 'clip')}>
                    <SafeText>{tab.detail}</SafeText>
                  </span>
                )}
                {errors > 0 && (
                  <span className={classes('is-error', 'micro')} aria-hidden="true">
                    {errors}
                  </span>
                )}
                {(errors > 0 || isUnsaved) && <span className="vh">{wordsOf(errors, isUnsaved)}</span>}
                {onClose !== undefined && (
                  <span
                    className={classes('icon-only', styles.close, isUnsaved && styles.unsaved)}
                    aria-hidden="true"
                    onClick={(event) => {
                      event.stopPropagation()
                      onClose()
                    }}
                  >
                    <Icon name="close" small />
                  </span>
                )}
              </div>
            )
          })}
        </div>
      )}
      {end !== undefined && <div className={styles.end}>{end}</div>}
    </div>
  )
}

/** What colour and dot say. */
function wordsOf(errors: number, isUnsaved: boolean): string {
  const words = [
    ...(errors > 0 ? [errors === 1 ? '1 error' : controlsText.tabStrip.errors(errors)] : []),
    ...(isUnsaved ? ['not saved'] : []),
  ]
  return words.join(', ')
}
