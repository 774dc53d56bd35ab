import { LinkButton } from '../controls/button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { StateMark } from '../controls/state-mark.tsx'
import { useObservable, type Observable } from '../state/observable.ts'
import { durationText } from '../../server-core/protocol/duration-text.ts'
import { bytesText } from '../text/measures.ts'
import { SafeText } from '../text/safe-text.tsx'
import { argumentsOfText } from './form/arguments-state.ts'
import { outcomeLook } from './results/outcome-look.ts'
import { changeWork, type CallRecord, type Work } from './work-store.ts'
import styles from './workbench.module.css'
import { dayText, timeText } from '../text/times.ts'
import { workbenchText } from './text.ts'

const PREVIEW = 160

/** What was sent from this tab, in earlier runs too. One press puts arguments and answer back. */
export function HistoryPage({ work, verb }: { work: Observable<Work>; verb: string }) {
  const { history, spec } = useObservable(work)
  if (history.length === 0) {
    return (
      <EmptyState title={workbenchText.historyPage.noCallsYet}>
        {verb} {workbenchText.historyPage.emptyState}
      </EmptyState>
    )
  }
  const putBack = (record: CallRecord): void => {
    changeWork(work, { page: 'call', shown: record, arguments: argumentsOfText(spec, record.text) })
  }
  return (
    <div className={styles.history}>
      <table>
        <thead>
          <tr>
            <th scope="col">{workbenchText.historyPage.sent}</th>
            <th scope="col">{workbenchText.historyPage.result}</th>
            <th scope="col">{workbenchText.historyPage.arguments}</th>
            <th scope="col" className={styles.figure}>
              {workbenchText.historyPage.time}
            </th>
            <th scope="col" className={styles.figure}>
              {workbenchText.historyPage.size}
            </th>
            <th scope="col">
              <span className="vh">{workbenchText.historyPage.restore}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {history.map((record) => (
            <HistoryRow key={record.id} record={record} onPutBack={() => putBack(record)} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function HistoryRow({ record, onPutBack }: { record: CallRecord; onPutBack: () => void }) {
  const { outcome } = record
  const at = timeText(record.at)
  return (
    <tr>
      <td className="mono" title={dayText(record.at)}>
        {at}
        {record.isEarlier === true && (
          <span className="t3"> {workbenchText.historyPage.earlierRun(dayText(record.at))}</span>
        )}
      </td>
      <td>
        <StateMark look={outcomeLook(outcome)} className={styles.verdict} />
      </td>
      <td className={styles.wide}>
        <SafeText>{record.text.replace(/\s+/g, ' ').slice(0, PREVIEW)}</SafeText>
      </td>
      <td className={styles.figure}>{durationText(outcome.durationMs)}</td>
      <td className={styles.figure}>{outcome.type === 'failure' ? '' : bytesText(outcome.bytes)}</td>
      <td>
        <LinkButton onClick={onPutBack} aria-label={workbenchText.historyPage.restoreArgumentsSentAt(at)}>
          {workbenchText.historyPage.restoreArguments}
        </LinkButton>
      </td>
    </tr>
  )
}
