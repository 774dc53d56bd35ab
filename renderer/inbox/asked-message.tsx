import type { JsonObject } from '../../server-core/protocol/json.ts'
import { SafeText } from '../text/safe-text.tsx'
import styles from './inbox.module.css'
import { inboxText } from './text.ts'

/** What the server says to a person, whole. */
export function AskedMessage({ params }: { params: JsonObject }) {
  const { message } = params
  return (
    <p className={styles.said}>
      {typeof message === 'string' ? (
        <SafeText>{message}</SafeText>
      ) : (
        <span className="t3">{inboxText.askedMessage.noMessage}</span>
      )}
    </p>
  )
}
