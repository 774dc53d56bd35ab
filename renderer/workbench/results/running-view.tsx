import { useEffect, useState } from 'react'
import { LinkButton } from '../../controls/button.tsx'
import { Progress } from '../../controls/progress.tsx'
import { useProgress } from '../../host/live.ts'
import { openQuestion } from '../../inbox/entry-place.ts'
import { useQuestionOf } from '../../inbox/question-of-call.ts'
import { durationText } from '../../../server-core/protocol/duration-text.ts'
import { SafeText } from '../../text/safe-text.tsx'
import type { Running } from '../work-store.ts'
import styles from './results.module.css'
import { workbenchResultsText } from './text.ts'

/** Work shorter than this shows nothing, so that quick answers do not flicker. */
const QUIET_MS = 300

interface RunningViewProps {
  running: Running
  serverId: string
  /** What is called or read: the name of the tool or prompt, or the URI. */
  subject: string
}

/** A request that is not answered yet: how long, how far, and whether its server waits for the user. */
export function RunningView({ running, serverId, subject }: RunningViewProps) {
  const progress = useProgress(running.callId)
  const elapsed = useElapsed(running.at)
  const question = useQuestionOf({ serverId, subject, since: running.at })
  if (elapsed < QUIET_MS) return <div className={styles.running} aria-busy="true" />

  return (
    <div className={styles.running} aria-busy="true">
      <div className={styles.runningHead}>
        <span role="status" className={question === undefined ? undefined : 'is-warn'}>
          {running.isCancelling === true
            ? workbenchResultsText.runningView.cancelling
            : question === undefined
              ? workbenchResultsText.runningView.waitingForTheServer
              : workbenchResultsText.runningView.waitingForYou}
        </span>
        {question !== undefined && (
          <LinkButton onClick={() => openQuestion(question.id)}>
            {workbenchResultsText.runningView.openTheQuestion}
          </LinkButton>
        )}
        {progress !== undefined && (
          <span className="t2 clip">
            <SafeText>{progressText(progress.progress, progress.total, progress.message)}</SafeText>
          </span>
        )}
        <span className={styles.elapsed}>{durationText(elapsed)}</span>
      </div>
      <Progress
        label={workbenchResultsText.runningView.progressOfTheRequest}
        value={progress?.progress ?? 0}
        total={progress?.total}
      />
    </div>
  )
}

function progressText(progress: number, total: number | undefined, message: string | undefined): string {
  const figures = total === undefined ? String(progress) : `${String(progress)} of ${String(total)}`
  return message === undefined ? figures : `${figures} “${message}”`
}

function useElapsed(since: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, now - since)
}
