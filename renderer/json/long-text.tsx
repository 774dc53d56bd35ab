import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'
import { classes } from '../controls/classes.ts'
import { SafeText } from '../text/safe-text.tsx'
import styles from './long-text.module.css'
import { cutLines, lineAt } from './text-lines.ts'

/** Text up to this many characters is laid out by the browser, wrapping where it must. */
const AT_ONCE = 32 * 1024
const ROW_HEIGHT = 18

interface LongTextProps {
  text: string
  /** Its accessible name. */
  label: string
  /** Long lines break at the edge instead of running out of it. */
  wrap?: boolean
  mono?: boolean
}

/** Text of any length from a peer: never markup, hidden characters visible, only what is on the screen rendered. */
export function LongText({ text, label, wrap = true, mono = true }: LongTextProps) {
  if (text.length > AT_ONCE) return <ManyLines text={text} label={label} />
  return (
    <div
      className={classes(styles.text, wrap && styles.wrap, mono && styles.mono)}
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      <SafeText>{text}</SafeText>
    </div>
  )
}

function ManyLines({ text, label }: { text: string; label: string }) {
  const scroll = useRef<HTMLDivElement>(null)
  const lines = useMemo(() => cutLines(text), [text])
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 20,
  })
  return (
    <div
      ref={scroll}
      className={classes(styles.text, styles.mono)}
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      <div className={styles.tall} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => (
          <div
            key={item.key}
            className={styles.line}
            style={{ transform: `translateY(${String(item.start)}px)` }}
          >
            <SafeText>{lineAt(text, lines, item.index)}</SafeText>
          </div>
        ))}
      </div>
    </div>
  )
}
