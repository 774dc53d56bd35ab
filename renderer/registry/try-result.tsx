import { useMemo } from 'react'
import type { OutputCheck, RequestOutcome } from '../../server-core/host/contract/inspect.ts'
import { durationText } from '../../server-core/protocol/duration-text.ts'
import { Icon } from '../controls/icon.tsx'
import { valueSource } from '../json/json-index.ts'
import { JsonTree, JsonView } from '../json/json-view.tsx'
import { printJson } from '../json/print-json.ts'
import { useJsonIndex } from '../json/use-json-index.ts'
import { TaskOutcome } from '../tasks/task-outcome.tsx'
import { bytesText } from '../text/measures.ts'
import { SafeText } from '../text/safe-text.tsx'
import { AnswerParts } from '../workbench/results/answer-parts.tsx'
import { readAnswer, type ResultKind } from '../workbench/results/answer.ts'
import { ErrorView, FailureView } from '../workbench/results/error-view.tsx'
import styles from './side.module.css'
import { registryText } from './text.ts'

interface TryResultProps {
  outcome: RequestOutcome
  kind: ResultKind
  serverId: string
}

/** A compact result: structuredContent or content, and whether it matches outputSchema. */
export function TryResult({ outcome, kind, serverId }: TryResultProps) {
  return (
    <div role="region" aria-label={registryText.tryResult.resultOfTheCall}>
      <TryOutcome outcome={outcome} kind={kind} serverId={serverId} />
    </div>
  )
}

function TryOutcome({ outcome, kind, serverId }: TryResultProps) {
  switch (outcome.type) {
    case 'failure':
      return <FailureView outcome={outcome} />
    case 'error':
      return <ErrorView outcome={outcome} />
    case 'task':
      return (
        <TaskOutcome serverId={serverId} taskId={outcome.taskId}>
          {(over) => <TryOutcome outcome={over} kind={kind} serverId={serverId} />}
        </TaskOutcome>
      )
    case 'result':
      return <Answered outcome={outcome} kind={kind} serverId={serverId} />
  }
}

function Answered({
  outcome,
  kind,
  serverId,
}: TryResultProps & { outcome: RequestOutcome & { type: 'result' } }) {
  const indexed = useJsonIndex(outcome.messageText)
  const answer = useMemo(
    () => (indexed?.ok === true ? readAnswer(indexed.index, kind) : undefined),
    [indexed, kind],
  )
  if (indexed === undefined)
    return (
      <p className={styles.note}>
        {registryText.tryResult.reading} {bytesText(outcome.bytes)}…
      </p>
    )
  return (
    <>
      <div className={styles.result}>
        {answer === undefined ? (
          <div className={styles.json}>
            <JsonView text={outcome.messageText} label={registryText.tryResult.fullResponse} />
          </div>
        ) : answer.structured === undefined ? (
          <AnswerParts answer={answer} kind={kind} serverId={serverId} />
        ) : (
          <div className={styles.json} style={{ height: heightOf(valueSource(answer.structured, 0)) }}>
            <JsonTree index={answer.structured} label={registryText.tryResult.structuredcontent} />
          </div>
        )}
      </div>
      <div className={styles.outcome}>
        <Verdict isError={answer?.isError === true} check={outcome.outputCheck} />
        <span>{durationText(outcome.durationMs)}</span>
        <span>{bytesText(outcome.bytes)}</span>
      </div>
      {outcome.outputCheck.state === 'differs' && (
        <ul className={styles.findings} aria-label={registryText.tryResult.outputSchemaViolations}>
          {outcome.outputCheck.findings.slice(0, 5).map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <SafeText>{`${path === '' ? '/' : path} ${message}`}</SafeText>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const LINE_HEIGHT = 18
const MOST_LINES = 14

/** Pixels for JSON: a small value takes no more than its lines. */
function heightOf(text: string): number {
  if (text.length > 2_000) return MOST_LINES * LINE_HEIGHT
  const lines = printJson(JSON.parse(text)).split('\n').length
  return (Math.min(MOST_LINES, lines) + 1) * LINE_HEIGHT
}

function Verdict({ isError, check }: { isError: boolean; check: OutputCheck }) {
  if (isError) {
    return (
      <span className="is-warn row">
        <Icon name="warn" />
        {registryText.tryResult.isErrorTrue}
      </span>
    )
  }
  switch (check.state) {
    case 'no-schema':
      return null
    case 'matches':
      return (
        <span className="is-ok row">
          <Icon name="check" />
          {registryText.tryResult.matchesOutputschema}
        </span>
      )
    case 'differs':
      return (
        <span className="is-warn row">
          <Icon name="diff" />
          {registryText.tryResult.doesNotMatchOutputschema}
        </span>
      )
    case 'not-checked':
      return (
        <span className="is-warn row" title={check.reason}>
          <Icon name="warn" />
          {registryText.tryResult.notChecked}
        </span>
      )
  }
}
