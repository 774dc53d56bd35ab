import { useEffect, useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { Progress } from '../../controls/progress.tsx'
import { useProgress } from '../../host/live.ts'
import { api } from '../../host/api.ts'
import { showFailure } from '../../controls/toast.tsx'
import { durationText } from '../../../server-core/protocol/duration-text.ts'
import { SafeText } from '../../text/safe-text.tsx'
import type { Running } from '../work-store.ts'
import styles from './results.module.css'

/** Work shorter than this shows nothing, so that quick answers do not flicker. */
const QUIET_MS = 300

/** A request that is not answered yet: how long, how far, and a way to stop it. */
export function RunningView({ running }: { running: Running }) {
  const progress = useProgress(running.callId)
  const elapsed = useElapsed(running.at)
  const [isCancelling, setCancelling] = useState(false)
  if (elapsed < QUIET_MS) return <div className={styles.running} aria-busy="true" />

  const cancel = (): void => {
    setCancelling(true)
    api.inspect.cancel({ callId: running.callId }).catch((error: unknown) => {
      setCancelling(false)
      showFailure('The request was not cancelled', error)
    })
  }

  return (
    <div className={styles.running} aria-busy="true">
      <div className={styles.runningHead}>
        <span role="status">{isCancelling ? 'Cancelling…' : 'Waiting for the answer'}</span>
        {progress !== undefined && (
          <span className="t2">
            <SafeText>{progressText(progress.progress, progress.total, progress.message)}</SafeText>
          </span>
        )}
        <span className={styles.elapsed}>{durationText(elapsed)}</span>
        <Button disabled={isCancelling} onClick={cancel}>
          Cancel
        </Button>
      </div>
      <Progress label="Progress of the request" value={progress?.progress ?? 0} total={progress?.total} />
    </div>
  )
}

function progressText(progress: number, total: number | undefined, message: string | undefined): string {
  const figures = total === undefined ? String(progress) : `${String(progress)} of ${String(total)}`
  return message === undefined ? figures : `${figures} “${message}”`
}

function useElapsed(since: number): number {
  const [now, setNow] = useState(since)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, now - since)
}
