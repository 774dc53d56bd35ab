import type { ReactNode } from 'react'
import type { OutputCheck, RequestOutcome } from '../../../server-core/host/contract/inspect.ts'
import { durationText } from '../../../server-core/protocol/duration-text.ts'
import { CopyButton } from '../../controls/copy-button.tsx'
import { IconButton } from '../../controls/icon-button.tsx'
import { Icon } from '../../controls/icon.tsx'
import { activeFaultsText } from '../../faults/active-faults.tsx'
import { useObservable } from '../../state/observable.ts'
import { showTestOf } from '../../test-file/tested-exchange.ts'
import { bytesText } from '../../text/measures.ts'
import type { Answer } from './answer.ts'
import { isResultMaximized, toggleMaximized } from './maximized.ts'
import styles from './results.module.css'
import { workbenchResultsText } from './text.ts'

interface ResultBarProps {
  outcome: RequestOutcome
  tabs?: ReactNode
  verdict?: ReactNode
}

/** The bar above an outcome: its views, how it stands, its time and size, and what can be done with it. */
export function ResultBar({ outcome, tabs, verdict }: ResultBarProps) {
  const { faults = 0 } = outcome
  return (
    <div className={styles.bar}>
      {tabs !== undefined && <div className={styles.tabs}>{tabs}</div>}
      {verdict}
      <div className={styles.facts}>
        {faults > 0 && (
          <span className="row is-warn" title={workbenchResultsText.resultPanel.faultsTitle}>
            <Icon name="fault" small />
            {activeFaultsText(faults)}
          </span>
        )}
        <Took outcome={outcome} />
        {outcome.type !== 'failure' && <span>{bytesText(outcome.bytes)}</span>}
        {outcome.revision !== '' && (
          <span className={`${styles.revision ?? ''} mono`}>{outcome.revision}</span>
        )}
        <span className={styles.actions}>
          {outcome.type !== 'failure' && (
            <CopyButton label={workbenchResultsText.resultPanel.copyResult} text={outcome.messageText} />
          )}
          {outcome.type !== 'failure' && outcome.exchangeId !== undefined && (
            <TestButton exchangeId={outcome.exchangeId} />
          )}
          <MaximizeButton />
        </span>
      </div>
    </div>
  )
}

function TestButton({ exchangeId }: { exchangeId: string }) {
  return (
    <IconButton
      icon="save"
      label={workbenchResultsText.resultPanel.saveAsTest}
      onClick={() => void showTestOf(exchangeId)}
    />
  )
}

function MaximizeButton() {
  const isMaximized = useObservable(isResultMaximized)
  return (
    <IconButton
      icon={isMaximized ? 'restore' : 'max'}
      keys="F9"
      label={
        isMaximized ? workbenchResultsText.resultPanel.restore : workbenchResultsText.resultPanel.maximize
      }
      onClick={toggleMaximized}
    />
  )
}

/** How long it took; the time in which the server waited for answers to its questions apart. */
function Took({ outcome: { durationMs, waitedMs = 0 } }: { outcome: RequestOutcome }) {
  return (
    <span title={waitedMs > 0 ? workbenchResultsText.resultPanel.durationTitle : undefined}>
      <b>{durationText(Math.max(0, durationMs - waitedMs))}</b>
      {waitedMs > 0 && workbenchResultsText.resultPanel.answering(durationText(waitedMs))}
    </span>
  )
}

/** Whether a tool failed, and whether its result matches what it declares. */
export function Verdicts({ answer, check }: { answer: Answer | undefined; check: OutputCheck }) {
  return (
    <>
      {answer?.isError === true && (
        <span className={`${styles.verdict ?? ''} is-warn`}>
          <Icon name="warn" />
          {workbenchResultsText.resultPanel.toolError}
          <span className={styles.why}>{workbenchResultsText.resultPanel.isErrorTitle}</span>
        </span>
      )}
      {check.state === 'matches' && (
        <span className={`${styles.verdict ?? ''} is-ok`}>
          <Icon name="check" />
          {workbenchResultsText.resultPanel.matchesOutputschema}
        </span>
      )}
      {check.state === 'differs' && (
        <span className={`${styles.verdict ?? ''} is-warn`}>
          <Icon name="diff" />
          {workbenchResultsText.resultPanel.doesNotMatchOutputschema}
        </span>
      )}
      {check.state === 'not-checked' && (
        <span className={`${styles.verdict ?? ''} is-warn`} title={check.reason}>
          <Icon name="warn" />
          {workbenchResultsText.resultPanel.notChecked}
        </span>
      )}
    </>
  )
}
