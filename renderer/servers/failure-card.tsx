import { useState } from 'react'
import type { Failure, ServerState } from '../../server-core/host/contract/servers.ts'
import { Button, LinkButton } from '../controls/button.tsx'
import { classes } from '../controls/classes.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { useAppInfo } from '../host/live.ts'
import { counted, durationText } from '../text/measures.ts'
import { SafeText } from '../text/safe-text.tsx'
import { openEditServer } from './dialogs.ts'
import { accusedLine, evidenceOf, failureReport, numberedLines, type Evidence } from './failure-report.ts'
import styles from './panel.module.css'
import { restartServer } from './server-actions.ts'
import { restartWord, wantsSignIn } from './server-look.ts'

/** Why a connection is not there: cause, what to do, and what the peer said until then. */
export function FailureCard({ server, failure }: { server: ServerState; failure: Failure }) {
  const version = useAppInfo()?.version ?? ''
  const editable = server.origin !== 'embedded'
  return (
    <>
      <div className={styles.failure} role="alert">
        <p className="t3 small">
          <SafeText>{`${server.name} failed`}</SafeText>
        </p>
        <h2 className={styles.title}>
          <SafeText>{failure.title}</SafeText>
        </h2>
        <p>
          <SafeText>{failure.explanation}</SafeText>
        </p>
        <p className="t3 small">
          <FailureFacts failure={failure} />
        </p>
        <div className={styles.acts}>
          <Button tone="primary" icon="restart" onClick={() => void restartServer(server)}>
            {restartWord(server)}
          </Button>
          {editable && (
            <Button onClick={() => openEditServer(server.id)}>
              {server.transport === 'stdio'
                ? 'Edit command…'
                : wantsSignIn(server)
                  ? 'Enter a token…'
                  : 'Edit address…'}
            </Button>
          )}
          <CopyButton labelled label="Copy report" text={() => failureReport(server, failure, version)} />
        </div>
      </div>
      {evidenceOf(failure).map((part) => (
        <EvidenceBox key={part.title} evidence={part} />
      ))}
    </>
  )
}

function FailureFacts({ failure }: { failure: Failure }) {
  const facts = [
    new Date(failure.at).toLocaleTimeString('en-GB'),
    ...(failure.afterMs === undefined ? [] : [`${durationText(failure.afterMs)} after the start`]),
    ...(failure.pid === undefined ? [] : [`pid ${failure.pid}`]),
    ...(failure.exitCode === undefined ? [] : [`exit code ${failure.exitCode}`]),
    ...(failure.signal === undefined ? [] : [`signal ${failure.signal}`]),
    ...(failure.httpStatus === undefined ? [] : [`HTTP ${failure.httpStatus}`]),
  ]
  return facts.join(' · ')
}

const shownAtFirst = 5

/** What a peer said: the lines that matter most, the rest on request. */
function EvidenceBox({ evidence: { title, text, matters } }: { evidence: Evidence }) {
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
            : `${shown.length} of ${counted(lines.length, 'line')}`}
        </span>
        <span className={styles.evidenceEnd}>
          {(hidden > 0 || all) && lines.length > shownAtFirst && (
            <LinkButton onClick={() => setAll(!all)}>
              {all ? 'Show less' : `Show all ${counted(lines.length, 'line')}`}
            </LinkButton>
          )}
          <CopyButton tight label={`Copy ${title}`} text={text} />
        </span>
      </h3>
      <div className={classes('code', styles.text)} tabIndex={0} role="group" aria-label={`Text of ${title}`}>
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
