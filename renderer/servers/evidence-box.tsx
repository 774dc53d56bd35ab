import { useState } from 'react'
import { LinkButton } from '../controls/button.tsx'
import { classes } from '../controls/classes.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { counted, countText } from '../text/measures.ts'
import { SafeText } from '../text/safe-text.tsx'
import { accusedLine, numberedLines, type Evidence } from './failure-report.ts'
import styles from './panel.module.css'
import { serversText } from './text.ts'

const shownAtFirst = 5

/** Output of a peer: the most relevant lines first, all of them on request. */
export function EvidenceBox({ evidence: { title, text, matters } }: { evidence: Evidence }) {
  const [all, setAll] = useState(false)
  const lines = numberedLines(text)
  const accused = accusedLine(lines)
  const lastFrom = Math.min(lines.length - shownAtFirst, (accused ?? lines.length + 1) - 1)
  const from = all || matters === 'first' ? 0 : Math.max(0, lastFrom)
  const shown = lines.slice(from, all ? undefined : from + Math.max(shownAtFirst, 12))
  const hidden = lines.length - shown.length
  return (
    <section className={styles.evidence} aria-label={title}>
      <h3>
        {title}
        <span className="t3">
          {hidden === 0
            ? counted(lines.length, 'line')
            : serversText.evidenceBox.ofText(countText(shown.length), counted(lines.length, 'line'))}
        </span>
        <span className={styles.evidenceEnd}>
          {(hidden > 0 || all) && lines.length > shownAtFirst && (
            <LinkButton onClick={() => setAll(!all)}>
              {all
                ? serversText.evidenceBox.showLess
                : serversText.evidenceBox.showAll(counted(lines.length, 'line'))}
            </LinkButton>
          )}
          <CopyButton tight label={serversText.evidenceBox.copy(title)} text={text} />
        </span>
      </h3>
      <div
        className={classes('code', styles.text)}
        tabIndex={0}
        role="group"
        aria-label={serversText.evidenceBox.textOf(title)}
      >
        {shown.map((line) => (
          <span key={line.number} className={classes('l', styles.line, line.number === accused && 'is-bad')}>
            <span className="ln">{line.number}</span>
            <span>
              <SafeText>{line.text}</SafeText>
            </span>
          </span>
        ))}
      </div>
    </section>
  )
}
