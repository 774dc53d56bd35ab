import type { RequestOutcome } from '../../../server-core/host/contract/inspect.ts'
import { Icon } from '../../controls/icon.tsx'
import { indexJson } from '../../json/json-index.ts'
import { JsonView } from '../../json/json-view.tsx'
import { EvidenceBox } from '../../servers/evidence-box.tsx'
import { evidenceOf } from '../../servers/failure-report.ts'
import { SafeText } from '../../text/safe-text.tsx'
import { sourceAt } from './answer.ts'
import { failureText } from './failure-text.ts'
import styles from './results.module.css'
import { workbenchResultsText } from './text.ts'

/** A JSON-RPC error: its code, its message and its data, all of them always. */
export function ErrorView({ outcome }: { outcome: RequestOutcome & { type: 'error' } }) {
  const indexed = indexJson(outcome.messageText)
  const data = indexed.ok ? sourceAt(indexed.index, '/error/data') : undefined
  const shown = data ?? (outcome.data === undefined ? undefined : JSON.stringify(outcome.data))
  return (
    <div className={styles.failed} role="alert">
      <h3 className={styles.failedTitle}>
        <span className="k-error">
          <Icon name="kind-error" />
        </span>
        {workbenchResultsText.errorView.errorResult}
        <small>{codeMeaning(outcome.code)}</small>
      </h3>
      <p className={styles.failedText}>
        <span className="mono is-error">{outcome.code}</span> <SafeText>{outcome.message}</SafeText>
      </p>
      {shown === undefined ? (
        <p className={styles.noData}>{workbenchResultsText.errorView.noData}</p>
      ) : (
        <div className={styles.datum}>
          <JsonView text={shown} label={workbenchResultsText.errorView.dataOfTheError} isCompact />
        </div>
      )}
    </div>
  )
}

const MEANINGS: Readonly<Record<number, string>> = {
  [-32700]: 'parse error',
  [-32600]: 'invalid request',
  [-32601]: 'method not found',
  [-32602]: 'invalid params',
  [-32603]: 'internal error',
  [-32002]: 'resource not found',
  [-32042]: workbenchResultsText.errorView.urlElicitationRequired,
  [-32020]: 'header mismatch',
  [-32021]: 'missing client capability',
  [-32022]: 'unsupported protocol version',
}

function codeMeaning(code: number): string {
  return MEANINGS[code] ?? 'code of the server’s own'
}

/** No answer: what happened, what the server wrote if its connection ended, and what to do. */
export function FailureView({ outcome }: { outcome: RequestOutcome & { type: 'failure' } }) {
  const { title, remedy } = failureText(outcome.code)
  const { connection: lost } = outcome
  return (
    <div className={styles.failed} role="alert">
      <h3 className={styles.failedTitle}>
        <span className="is-error">
          <Icon name="st-fail" />
        </span>
        {title}
        <small className="mono">{outcome.code}</small>
      </h3>
      <p className={styles.failedText}>
        <SafeText>{lost?.title ?? outcome.message}</SafeText>
      </p>
      {lost !== undefined && evidenceOf(lost).map((part) => <EvidenceBox key={part.title} evidence={part} />)}
      <p className="t2">{remedy}</p>
    </div>
  )
}
