import { lazy, Suspense, type KeyboardEvent } from 'react'
import { useObservable } from '../state/observable.ts'
import styles from './frame.module.css'
import { hideInbox, isInboxOpen } from './inbox-shown.ts'
import { PanelBoundary } from './panel-boundary.tsx'
import { appText } from './text.ts'

const loadInbox = () => import('../inbox/inbox.tsx')
const Inbox = lazy(loadInbox)

/** Loads the inbox before it is shown first. A failed load is tried again, and reported, when it is shown. */
export function preloadInbox(): void {
  loadInbox().catch(() => undefined)
}

/** The inbox at the right of any page, while it is open. Escape closes it, and the focus goes to its button. */
export function InboxPanel() {
  const isOpen = useObservable(isInboxOpen)
  if (!isOpen) return null

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    // Menus and dialogs that were opened here are elsewhere in the page, and close by themselves.
    const isHere = event.target instanceof Node && event.currentTarget.contains(event.target)
    if (event.key !== 'Escape' || event.defaultPrevented || !isHere) return
    event.preventDefault()
    hideInbox()
  }
  return (
    // Whoever moves the focus there waits for the panel, which comes with what is in it.
    <Suspense>
      <section
        className={styles.inbox}
        aria-label={appText.inbox.inbox}
        data-region="inbox"
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        <PanelBoundary name={appText.inbox.inbox}>
          <Inbox onClose={hideInbox} />
        </PanelBoundary>
      </section>
    </Suspense>
  )
}
