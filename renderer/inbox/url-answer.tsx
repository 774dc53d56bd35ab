import type { InboxEntry } from '../../server-core/host/contract/inbox.ts'
import type { JsonObject } from '../../server-core/protocol/json.ts'
import { Button } from '../controls/button.tsx'
import { CopyButton } from '../controls/copy-button.tsx'
import { SafeText } from '../text/safe-text.tsx'
import { AnswerActs } from './answer-acts.tsx'
import { AskedMessage } from './asked-message.tsx'
import { answerEntry, cancelEntry, openAddress } from './inbox-actions.ts'
import styles from './inbox.module.css'
import { inboxText } from './text.ts'

interface UrlProps {
  entry: InboxEntry
  params: JsonObject
}

function addressOf({ url }: JsonObject): string {
  return typeof url === 'string' ? url : ''
}

/** What the server says, and the whole address that it wants visited: nothing of it is opened by itself. */
export function UrlQuestion({ entry, params }: UrlProps) {
  const url = addressOf(params)
  const host = URL.canParse(url) ? new URL(url).host : undefined
  return (
    <>
      <AskedMessage params={params} />
      <div className={styles.address} aria-label={inboxText.urlAnswer.address} role="group">
        <span>
          <SafeText>{url}</SafeText>
        </span>
        <CopyButton tight label={inboxText.urlAnswer.copyAddress} text={url} />
      </div>
      {host !== undefined && (
        <p className={styles.facts}>
          <span>
            {inboxText.urlAnswer.itLeadsTo} <b className="mono">{<SafeText>{host}</SafeText>}</b>
            {inboxText.urlAnswer.inYourBrowser}
          </span>
          {entry.url?.openedAt !== undefined && <span>{inboxText.urlAnswer.opened}</span>}
          {entry.url?.completedAt !== undefined && (
            <span className="is-ok">{inboxText.urlAnswer.theServerReportsCompletion}</span>
          )}
        </p>
      )}
    </>
  )
}

/** Opening it, accepting it, or neither. An address that came with an error is only opened: no answer is waited for. */
export function UrlAnswer({ entry }: UrlProps) {
  if (entry.source === 'url-required-error') {
    return (
      <div className={styles.acts} data-acts>
        <Button tone="primary" icon="link" onClick={() => void openAddress(entry, false)}>
          {inboxText.urlAnswer.openInBrowser}
        </Button>
        <Button onClick={() => void cancelEntry(entry)}>{inboxText.urlAnswer.dismiss}</Button>
      </div>
    )
  }
  return (
    <AnswerActs
      entry={entry}
      more={[
        {
          type: 'item',
          label: inboxText.urlAnswer.acceptWithoutOpening,
          onSelect: () => void answerEntry(entry, { type: 'result', resultText: '{"action":"accept"}' }),
        },
        {
          type: 'item',
          label: inboxText.urlAnswer.openWithoutAccepting,
          onSelect: () => void openAddress(entry, false),
        },
        { type: 'separator', key: 'ways' },
      ]}
    >
      <Button tone="primary" icon="link" onClick={() => void openAddress(entry, true)}>
        {inboxText.urlAnswer.openAndAccept}
      </Button>
    </AnswerActs>
  )
}
