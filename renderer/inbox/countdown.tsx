import { useEffect, useState } from 'react'
import { classes } from '../controls/classes.ts'
import styles from './inbox.module.css'

/** Less than this is told in a colour too. */
const SHORT_MS = 20_000

/** `0:18`, `12:05`, `2:00:00`: what is left of so many milliseconds. */
function leftText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  const two = (value: number): string => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const tail = two(seconds % 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${tail}` : `${minutes}:${tail}`
}

/** How long a question still waits, as a bar and as a time. Both in milliseconds since 1970. */
export function Countdown({ from, until }: { from: number; until: number }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const left = Math.max(0, until - now)
  const isShort = left < SHORT_MS
  const share = Math.min(100, (100 * left) / Math.max(1, until - from))
  const text = leftText(left)
  return (
    <span
      className={styles.countdown}
      title="Until it expires"
      role="timer"
      aria-label={`Expires in ${text}`}
    >
      <span className={classes(styles.ttl, isShort && styles.short)} aria-hidden="true">
        <i style={{ width: `${share}%` }} />
      </span>
      <span className={isShort ? 'is-warn' : undefined} aria-hidden="true">
        {text}
      </span>
    </span>
  )
}
