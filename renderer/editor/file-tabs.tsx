import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { classes } from '../controls/classes.ts'
import { Icon, type IconName } from '../controls/icon.tsx'
import { SafeText } from '../text/safe-text.tsx'
import styles from './file-tabs.module.css'

/** One tab of the strip. */
export type FileTab = {
  readonly id: string
  readonly icon: IconName
  readonly title: string
  readonly isActive: boolean
  /** How many errors are in it. */
  readonly errors: number
  readonly isUnsaved: boolean
  readonly onSelect: () => void
  readonly onClose: (() => void) | undefined
}

interface FileTabsProps {
  tabs: readonly FileTab[]
  /** Controls behind the tabs. */
  end: ReactNode
}

/** Ids of elements have no spaces. */
export function fileTabElementId(id: string): string {
  return `file-tab-${encodeURIComponent(id)}`
}

/** The open files. Arrow keys walk them, Delete closes the one that has the focus. */
export function FileTabs({ tabs, end }: FileTabsProps) {
  const list = useRef<HTMLDivElement>(null)
  const active = tabs.find(({ isActive }) => isActive)?.id

  useEffect(() => {
    const element = list.current?.querySelector('[aria-selected="true"]')
    element?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [active])

  const focusTab = (place: number): void => {
    tabs.at(place % tabs.length)?.onSelect()
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[(place + tabs.length) % tabs.length]?.focus()
  }
  const onKeyDown = (event: KeyboardEvent, place: number, tab: FileTab): void => {
    if (event.key === 'ArrowRight') focusTab(place + 1)
    else if (event.key === 'ArrowLeft') focusTab(place - 1)
    else if (event.key === 'Home') focusTab(0)
    else if (event.key === 'End') focusTab(tabs.length - 1)
    else if (event.key === 'Delete') tab.onClose?.()
    else return
    event.preventDefault()
  }

  return (
    <div className={styles.strip}>
      {tabs.length > 0 && (
        <div ref={list} role="tablist" aria-label="Open scripts" className={styles.list}>
          {tabs.map((tab, place) => (
            <div
              key={tab.id}
              id={fileTabElementId(tab.id)}
              role="tab"
              aria-selected={tab.isActive}
              aria-controls={tab.isActive ? 'editor-panel' : undefined}
              tabIndex={tab.isActive || (active === undefined && place === 0) ? 0 : -1}
              title={visibleText(
                tab.onClose === undefined ? tab.title : `${tab.title}. Delete closes the tab.`,
              )}
              className={classes(styles.tab, tab.isActive && styles.active)}
              onClick={tab.onSelect}
              onAuxClick={(event) => {
                if (event.button === 1) tab.onClose?.()
              }}
              onKeyDown={(event) => onKeyDown(event, place, tab)}
            >
              <Icon name={tab.icon} />
              <span className="clip">
                <SafeText>{tab.title}</SafeText>
              </span>
              {tab.errors > 0 && (
                <span className={classes('is-error', 'micro')} aria-hidden="true">
                  {tab.errors}
                </span>
              )}
              <span className="vh">{wordsOf(tab)}</span>
              {tab.onClose !== undefined && (
                <span
                  className={classes(styles.close, tab.isUnsaved && styles.unsaved)}
                  aria-hidden="true"
                  onClick={(event) => {
                    event.stopPropagation()
                    tab.onClose?.()
                  }}
                >
                  <Icon name="close" small />
                </span>
              )}
            </div>
          ))}
        </div>
      )}
      <div className={styles.end}>{end}</div>
    </div>
  )
}

/** What colour and dot say. */
function wordsOf({ errors, isUnsaved }: FileTab): string {
  const words = [
    ...(errors > 0 ? [errors === 1 ? '1 error' : `${errors} errors`] : []),
    ...(isUnsaved ? ['not saved'] : []),
  ]
  return words.join(', ')
}
