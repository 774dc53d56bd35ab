import type { InboxEntry } from '../../server-core/host/contract/inbox.ts'
import type { JsonObject } from '../../server-core/protocol/json.ts'
import { Button } from '../controls/button.tsx'
import { CopyButton } from '../controls/copy-button.tsx'
import { SafeText } from '../text/safe-text.tsx'
import { AnswerActs } from './answer-acts.tsx'
import { AskedMessage } from './asked-message.tsx'
import { answerEntry, cancelEntry, openAddress } from './inbox-actions.ts'
import styles from './inbox.module.css'

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
      <div className={styles.address} aria-label="Address" role="group">
        <span>
          <SafeText>{url}</SafeText>
        </span>
        <CopyButton tight label="Copy the address" text={url} />
      </div>
      {host !== undefined && (
        <p className={styles.facts}>
          <span>
            It leads to <b className="mono">{<SafeText>{host}</SafeText>}</b>, in your browser.
          </span>
          {entry.url?.openedAt !== undefined && <span>Opened.</span>}
          {entry.url?.completedAt !== undefined && <span className="is-ok">The server says it is done.</span>}
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
          Open in the browser
        </Button>
        <Button onClick={() => void cancelEntry(entry)}>Dismiss</Button>
      </div>
    )
  }
  return (
    <AnswerActs
      entry={entry}
      more={[
        {
          type: 'item',
          label: 'Accept without opening it here',
          onSelect: () => void answerEntry(entry, { type: 'result', resultText: '{"action":"accept"}' }),
        },
        {
          type: 'item',
          label: 'Open without accepting yet',
          onSelect: () => void openAddress(entry, false),
        },
        { type: 'separator', key: 'ways' },
      ]}
    >
      <Button tone="primary" icon="link" onClick={() => void openAddress(entry, true)}>
        Open and accept
      </Button>
    </AnswerActs>
  )
}
