import type { ReactNode } from 'react'
import type { InboxEntry } from '../../server-core/host/contract/inbox.ts'
import { Button } from '../controls/button.tsx'
import { Icon } from '../controls/icon.tsx'
import { Menu, type MenuEntry } from '../controls/menu.tsx'
import { SafeText } from '../text/safe-text.tsx'
import { changeDraft } from './answer-draft.ts'
import { KINDS } from './entry-words.ts'
import { cancelEntry, declineEntry, type Faults } from './inbox-actions.ts'
import { openRules } from './inbox-state.ts'
import styles from './inbox.module.css'
import { ProposalOffer } from './proposal-offer.tsx'
import { inboxText } from './text.ts'

interface AnswerActsProps {
  entry: InboxEntry
  /** The buttons that answer, the primary one first. */
  children: ReactNode
  /** Further actions, at the top of the menu. */
  more?: readonly MenuEntry[]
  /** Uses the proposed answer while another one is typed; undefined if there is none. */
  onUseProposal?: (() => void) | undefined
}

/** The buttons under a question: what answers it, what says no, and the menu with everything else. */
export function AnswerActs({ entry, children, more = [], onUseProposal }: AnswerActsProps) {
  const isElicitation = entry.kind === 'elicitation-form' || entry.kind === 'elicitation-url'
  return (
    <div className={styles.acts} data-acts>
      {children}
      <Button onClick={() => void declineEntry(entry)}>{inboxText.answerActs.decline}</Button>
      {isElicitation && (
        <Button title={inboxText.answerActs.cancelTitle} onClick={() => void cancelEntry(entry)}>
          {inboxText.answerActs.cancelTheQuestion}
        </Button>
      )}
      <span className={styles.more}>
        {onUseProposal !== undefined && <ProposalOffer onUse={onUseProposal} />}
        <Menu
          trigger={
            <Button tone="quiet">
              {inboxText.answerActs.more}
              <Icon name="chev-d" small />
            </Button>
          }
          entries={[
            ...more,
            {
              type: 'item',
              label: inboxText.answerActs.answerWithRawJson,
              onSelect: () =>
                changeDraft(entry.id, { way: 'raw', raw: { as: 'result', text: '', unchecked: false } }),
            },
            {
              type: 'item',
              label: inboxText.answerActs.rejectWithAnError,
              onSelect: () =>
                changeDraft(entry.id, { way: 'raw', raw: { as: 'error', text: '', unchecked: false } }),
            },
            { type: 'separator', key: 'always' },
            {
              type: 'item',
              label: inboxText.answerActs.createRule(KINDS[entry.kind].name.toLowerCase()),
              onSelect: () => openRules(entry.serverId, entry.kind),
            },
          ]}
        />
      </span>
    </div>
  )
}

/** Why an answer was not sent. */
export function FaultList({ faults }: { faults: Faults }) {
  if (faults.length === 0) return null
  return (
    <ul className={styles.faults} role="alert" aria-label={inboxText.answerActs.whyNothingWasSent}>
      {faults.map(({ path, message }) => (
        <li key={`${path} ${message}`} className={styles.fault}>
          <Icon name="kind-error" />
          <span>
            <SafeText>{path === '' ? message : `${path}: ${message}`}</SafeText>
          </span>
        </li>
      ))}
    </ul>
  )
}
