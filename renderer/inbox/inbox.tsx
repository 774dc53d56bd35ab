import { useLayoutEffect, useRef } from 'react'
import { Bar } from '../controls/bar.tsx'
import { Button, LinkButton } from '../controls/button.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { useStaleClickGuard } from '../controls/use-stale-click-guard.ts'
import { useObservable } from '../state/observable.ts'
import { useSelectedServerId } from '../state/selection.ts'
import { countText } from '../text/measures.ts'
import { arranged, waitingForPeople } from './entry-words.ts'
import { clearHistory } from './inbox-actions.ts'
import { InboxEntryView } from './inbox-entry.tsx'
import { openRules, unfolded, useInbox } from './inbox-state.ts'
import styles from './inbox.module.css'
import { inboxText } from './text.ts'

interface InboxProps {
  onClose: () => void
}

/** What servers ask: what waits, oldest first, and below it what is over. Nothing of it is ever in the way. */
export default function Inbox({ onClose }: InboxProps) {
  const entries = useInbox()
  const byHand = useObservable(unfolded)
  const selected = useSelectedServerId()
  const { open, over } = arranged(entries)
  const waiting = waitingForPeople(entries)
  const byRule = over.filter(({ state }) => state.type === 'answered' && state.by === 'rule').length
  const first = open[0]?.id
  const list = useRef<HTMLDivElement>(null)
  useFocusThatStays(list, open.length)
  // As one question ends the next one unfolds by itself, its buttons where those of the first one were.
  const { isUnseen, guard } = useStaleClickGuard(first ?? '')

  return (
    <>
      <Bar
        end={
          <>
            <Button
              tone="quiet"
              title={inboxText.inbox.respondersWhoAnswersAutomatically}
              onClick={() => openRules(selected)}
            >
              {inboxText.inbox.rules}
            </Button>
            <IconButton icon="close" label={inboxText.inbox.close} onClick={onClose} />
          </>
        }
      >
        <h2>{inboxText.inbox.inbox}</h2>
        <span role="status" className={waiting > 0 ? styles.badge : 'vh'}>
          {waiting}
          <span className="vh"> {inboxText.inbox.waiting}</span>
        </span>
        {byRule > 0 && (
          <span className="t3 micro clip">
            {byRule} {inboxText.inbox.answeredByRule}
          </span>
        )}
      </Bar>
      <div
        ref={list}
        className={styles.asks}
        {...guard}
        onClickCapture={(event) => {
          const acts = event.target instanceof Element ? event.target.closest('[data-acts]') : null
          const question = acts?.closest('[data-question]')
          if (first !== undefined && question?.getAttribute('data-question') === first)
            guard.onClickCapture(event)
        }}
      >
        {entries.length === 0 && (
          <EmptyState title={inboxText.inbox.inboxEmpty}>{inboxText.inbox.emptyStateDetail}</EmptyState>
        )}
        {open.map((entry) => (
          <InboxEntryView
            key={entry.id}
            entry={entry}
            isUnfolded={byHand.get(entry.id) ?? entry.id === first}
            isUnseen={isUnseen && entry.id === first}
          />
        ))}
        {over.length > 0 && (
          <div className={styles.historyHead}>
            <h3>
              {countText(over.length)} {inboxText.inbox.closed}
            </h3>
            <LinkButton onClick={() => void clearHistory()}>{inboxText.inbox.clear}</LinkButton>
          </div>
        )}
        {over.map((entry) => (
          <InboxEntryView key={entry.id} entry={entry} isUnfolded={byHand.get(entry.id) ?? false} />
        ))}
      </div>
    </>
  )
}

/** A question that is over takes its buttons away: the focus that was on them goes on to the next one, not to nowhere. */
function useFocusThatStays(list: React.RefObject<HTMLDivElement | null>, open: number): void {
  const had = useRef(false)
  useLayoutEffect(() => {
    const element = list.current
    if (element === null) return
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (had.current && isLost) element.querySelector<HTMLElement>('[data-entry]')?.focus()
  }, [list, open])
  useLayoutEffect(() => {
    const element = list.current
    const note = (): void => {
      had.current = element?.contains(document.activeElement) === true
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [list])
}
