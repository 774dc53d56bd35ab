import { lazy, Suspense, useId } from 'react'
import type { InboxEntry } from '../../server-core/host/contract/inbox.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { LinkButton } from '../controls/button.tsx'
import { classes } from '../controls/classes.ts'
import { Icon } from '../controls/icon.tsx'
import { SafeText } from '../text/safe-text.tsx'
import { endOf, KINDS, RULE_NAMES, sourceOf } from './entry-words.ts'
import { showOnTimeline, useCallOf } from './entry-place.ts'
import { unfold } from './inbox-state.ts'
import styles from './inbox.module.css'
import { knownLimits } from './waiting-limits.ts'
import { WaitingTime } from './waiting-time.tsx'
import { timeText } from '../text/times.ts'
import { inboxText } from './text.ts'

/** Its forms are those of the workbench, which the first view does not need. */
const QuestionView = lazy(async () => ({ default: (await import('./question-view.tsx')).QuestionView }))

interface InboxEntryViewProps {
  entry: InboxEntry
  isUnfolded: boolean
  /** It came under the resting pointer just now: a press would be meant for what was there before. */
  isUnseen?: boolean
}

/** One question: who asks, what for and how long it waits; opened, the question itself and everything to answer it. */
export function InboxEntryView({ entry, isUnfolded, isUnseen = false }: InboxEntryViewProps) {
  const id = useId()
  const call = useCallOf(entry)
  const { name, icon } = KINDS[entry.kind]
  const isOpen = entry.state.type === 'open'
  const end = endOf(entry)
  const source = visibleText(sourceOf(entry, call))
  return (
    <article
      className={classes(styles.ask, !isOpen && styles.over)}
      aria-labelledby={id}
      data-question={entry.id}
    >
      <h3 id={id} className={styles.head}>
        <button
          type="button"
          className={styles.fold}
          aria-expanded={isUnfolded}
          data-entry
          data-panel-focus
          onClick={() => unfold(entry.id, !isUnfolded)}
        >
          <span className={isOpen ? 'k-server' : 't3'}>
            <Icon name={icon} />
          </span>
          <b>{name}</b>
          <span className={classes('clip', styles.source)} title={source}>
            {source}
          </span>
          {!isOpen && <span className={classes('clip', styles.end)}>{visibleText(end)}</span>}
        </button>
        {entry.state.type === 'open' ? (
          <WaitingTime entry={entry} />
        ) : (
          <time className={styles.time} dateTime={new Date(entry.state.at).toISOString()}>
            {timeText(entry.state.at)}
          </time>
        )}
      </h3>
      {!isUnfolded && isOpen && (
        <p className={classes('clip', styles.teaser)}>
          <SafeText>{entry.title}</SafeText>
        </p>
      )}
      {isUnfolded && (
        <div className={styles.body} {...(isUnseen && { role: 'group', 'aria-disabled': true })}>
          <Facts entry={entry} />
          <Suspense>
            <QuestionView entry={entry} />
          </Suspense>
        </div>
      )}
    </article>
  )
}

function Facts({ entry }: { entry: InboxEntry }) {
  const { state, rule, exchangeId, failure } = entry
  return (
    <>
      <p className={styles.facts}>
        <span className="mono">{visibleText(entry.method)}</span>
        <span>{entry.revision}</span>
        {entry.source === 'input-required' && <span>{inboxText.inboxEntry.askedInsideAnAnswer}</span>}
        {rule !== 'people' && (
          <span>
            {inboxText.inboxEntry.rule} {RULE_NAMES[rule].toLowerCase()}
          </span>
        )}
        {state.type === 'open' && knownLimits(entry).map((limit) => <span key={limit}>{limit}</span>)}
        {exchangeId !== undefined && (
          <LinkButton onClick={() => showOnTimeline(entry)}>
            {inboxText.inboxEntry.showOnTheTimeline}
          </LinkButton>
        )}
      </p>
      {state.type === 'open' && state.waitsFor === 'rule' && !state.proposed && (
        <p className={styles.facts}>{inboxText.inboxEntry.ruleIsAnswering}</p>
      )}
      {failure !== undefined && (
        <p className={styles.fault} role="alert">
          <Icon name="warn" />
          <span>
            <SafeText>{inboxText.inboxEntry.ruleFailed(failure)}</SafeText>
          </span>
        </p>
      )}
    </>
  )
}
