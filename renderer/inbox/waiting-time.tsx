import { useEffect, useState } from 'react'
import type { InboxEntry } from '../../server-core/host/contract/inbox.ts'
import { classes } from '../controls/classes.ts'
import styles from './inbox.module.css'
import { clockedText, isNearLimit, limitsText } from './waiting-limits.ts'
import { inboxText } from './text.ts'

/** How long a question waits already; with a bar to the end if it is known when the server times out. */
export function WaitingTime({ entry }: { entry: InboxEntry }) {
  const { at, serverTimeoutMs } = entry
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const waited = Math.max(0, now - at)
  const isNear = isNearLimit(entry, waited)
  const text = clockedText(waited)
  const of = serverTimeoutMs === undefined ? '' : ` / ${clockedText(serverTimeoutMs)}`
  return (
    <span
      className={styles.waiting}
      title={inboxText.waitingTime.waitingTime(limitsText(entry))}
      role="timer"
      aria-label={inboxText.waitingTime.waitingFor(text)}
    >
      {serverTimeoutMs !== undefined && (
        <span className={classes(styles.ttl, isNear && styles.short)} aria-hidden="true">
          <i style={{ width: `${Math.min(100, (100 * waited) / serverTimeoutMs)}%` }} />
        </span>
      )}
      <span className={isNear ? 'is-warn' : undefined} aria-hidden="true">
        {text}
        {of}
      </span>
    </span>
  )
}
