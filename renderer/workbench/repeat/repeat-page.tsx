import { useMemo } from 'react'
import { durationText } from '../../../server-core/protocol/duration-text.ts'
import type { Parsed } from '../../../server-core/protocol/parsed.ts'
import { Button } from '../../controls/button.tsx'
import { EmptyState } from '../../controls/empty-state.tsx'
import { Icon } from '../../controls/icon.tsx'
import { Progress } from '../../controls/progress.tsx'
import { TypedNumber } from '../../controls/typed-number.tsx'
import { useObservable } from '../../state/observable.ts'
import { countText } from '../../text/measures.ts'
import { SafeText } from '../../text/safe-text.tsx'
import { Histogram } from './histogram.tsx'
import { MOST_AT_ONCE, MOST_TIMES, type RepeatedCalls, type Repetition } from './repeated-calls.ts'
import { statisticsOf, type RepeatStatistics } from './repeat-statistics.ts'
import styles from './repeat.module.css'
import { repeatText } from './text.ts'

/** Reasons of failures that are listed. */
const MAX_REASONS = 20

interface RepeatPageProps {
  calls: RepeatedCalls
  /** Why nothing can be sent now. */
  obstacle: string | undefined
  isDestructive: boolean
  onStart: () => void
}

/** The page of a tab that sends its request many times. */
export default function RepeatPage({ calls, obstacle, isDestructive, onStart }: RepeatPageProps) {
  const plan = useObservable(calls.plan)
  const run = useObservable(calls.run)
  const isBusy = run !== undefined && run.state !== 'done'
  return (
    <div className={styles.page}>
      <div className={styles.bar}>
        <TypedNumber
          label={repeatText.repeatPage.times}
          text={String(plan.times)}
          read={(text) => wholeNumber(text, MOST_TIMES)}
          onNumber={(times) => calls.plan.set({ ...plan, times })}
        />
        <span className={styles.word}>{repeatText.repeatPage.times}</span>
        <TypedNumber
          label={repeatText.repeatPage.atOnce}
          text={String(plan.atOnce)}
          read={(text) => wholeNumber(text, MOST_AT_ONCE)}
          onNumber={(atOnce) => calls.plan.set({ ...plan, atOnce })}
        />
        <span className={styles.word}>{repeatText.repeatPage.atOnce}</span>
        {isBusy ? (
          <Button icon="stop" disabled={run.state === 'stopping'} onClick={() => calls.stop()}>
            {run.state === 'stopping' ? repeatText.repeatPage.stopping : repeatText.repeatPage.stop}
          </Button>
        ) : (
          <Button icon="restart" disabled={obstacle !== undefined} title={obstacle} onClick={onStart}>
            {run === undefined ? repeatText.repeatPage.run : repeatText.repeatPage.again}
          </Button>
        )}
        {isDestructive && (
          <span className="row is-warn small">
            <Icon name="warn" small />
            {repeatText.repeatPage.destructive}
          </span>
        )}
      </div>
      {run === undefined ? (
        <EmptyState title={repeatText.repeatPage.notYet}>{repeatText.repeatPage.notYetDetail}</EmptyState>
      ) : (
        <Run run={run} />
      )}
    </div>
  )
}

function wholeNumber(text: string, most: number): Parsed<number> {
  const value = Number(text)
  return /^\d+$/.test(text.trim()) && value >= 1 && value <= most
    ? { ok: true, value }
    : { ok: false, reason: repeatText.repeatPage.expected(most) }
}

function Run({ run }: { run: Repetition }) {
  const statistics = useMemo(() => statisticsOf(run.calls), [run.calls])
  const { durations, sent, failed, reasons } = statistics
  return (
    <div className={styles.run}>
      {run.state !== 'done' && (
        <Progress label={repeatText.repeatPage.progress} value={sent} total={run.plan.times} />
      )}
      <p className={styles.facts} role="status">
        <b className={failed > 0 ? 'is-warn' : undefined}>
          {repeatText.repeatPage.succeeded(countText(sent - failed), countText(sent))}
        </b>
        {run.state !== 'done' && (
          <span>{repeatText.repeatPage.sent(countText(sent), countText(run.plan.times))}</span>
        )}
        <span>{repeatText.repeatPage.took(durationText(run.tookMs))}</span>
        <Sameness statistics={statistics} />
      </p>
      {durations === undefined ? (
        sent > 0 && <p className={styles.facts}>{repeatText.repeatPage.noneSucceeded}</p>
      ) : (
        <>
          <Histogram calls={run.calls} durations={durations} />
          <table className={styles.table} aria-label={repeatText.repeatPage.durations}>
            <thead>
              <tr>
                {NAMES.map((name) => (
                  <th key={name} scope="col">
                    {repeatText.repeatPage.names[name]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <tr>
                {NAMES.map((name) => (
                  <td key={name}>{durations[name].toFixed(durations[name] < 100 ? 1 : 0)}</td>
                ))}
              </tr>
            </tbody>
          </table>
        </>
      )}
      {reasons.length > 0 && (
        <ul className={styles.reasons} aria-label={repeatText.repeatPage.errors}>
          {reasons.slice(0, MAX_REASONS).map(([reason, count]) => (
            <li key={reason}>
              <span className="mono">{repeatText.repeatPage.times2(countText(count))}</span>{' '}
              <SafeText>{reason}</SafeText>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const NAMES = ['least', 'p50', 'p90', 'p95', 'p99', 'greatest', 'mean'] as const

function Sameness({ statistics: { same, results } }: { statistics: RepeatStatistics }) {
  if (results === 0) return null
  if (results === 1) return <span>{repeatText.repeatPage.allSame}</span>
  return <span>{repeatText.repeatPage.differ(countText(same), countText(results))}</span>
}
