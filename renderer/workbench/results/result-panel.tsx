import { useMemo, type ReactNode } from 'react'
import type { OutputCheck, RequestOutcome } from '../../../server-core/host/contract/inspect.ts'
import { classes } from '../../controls/classes.ts'
import { CopyButton } from '../../controls/copy-button.tsx'
import { Icon } from '../../controls/icon.tsx'
import { IconButton } from '../../controls/icon-button.tsx'
import { activeFaultsText } from '../../faults/active-faults.tsx'
import { TabList, TabPanel, TabsRoot, type TabChoice } from '../../controls/tabs.tsx'
import type { JsonIndex } from '../../json/json-index.ts'
import { JsonTree, JsonView } from '../../json/json-view.tsx'
import { useJsonIndex } from '../../json/use-json-index.ts'
import { useSelected, type Observable } from '../../state/observable.ts'
import { TaskOutcome } from '../../tasks/task-outcome.tsx'
import { showTestOf } from '../../test-file/tested-exchange.ts'
import { durationText } from '../../../server-core/protocol/duration-text.ts'
import { bytesText } from '../../text/measures.ts'
import { dayText, secondText } from '../../text/times.ts'
import { SafeText } from '../../text/safe-text.tsx'
import { changeWork, type Work } from '../work-store.ts'
import { AnswerParts } from './answer-parts.tsx'
import { readAnswer, type Answer, type ResultKind } from './answer.ts'
import { DataTable } from './data-table.tsx'
import { ErrorView, FailureView } from './error-view.tsx'
import styles from './results.module.css'
import { RunningView } from './running-view.tsx'
import { tableOf } from './table-of.ts'
import { workbenchResultsText } from './text.ts'

interface ResultPanelProps {
  work: Observable<Work>
  serverId: string
  /** What is called or read: the name of the tool or prompt, or the URI. */
  subject: string
  kind: ResultKind
  /** The word on the button that sends. */
  verb: string
}

/** What became of the request: the answer by type and as the message it is, or why there is none. */
export function ResultPanel({ work, serverId, subject, kind, verb }: ResultPanelProps) {
  const running = useSelected(work, (now) => now.running)
  const shown = useSelected(work, (now) => now.shown)
  return (
    <section className={styles.result} aria-label={workbenchResultsText.resultPanel.result}>
      {running !== undefined && (
        <RunningView key={running.callId} running={running} serverId={serverId} subject={subject} />
      )}
      {shown !== undefined && (
        <div
          className={classes(styles.outcome, running !== undefined && styles.earlier)}
          {...(running === undefined
            ? {}
            : { role: 'group', 'aria-label': workbenchResultsText.resultPanel.previousResult })}
        >
          {shown.isEarlier === true && (
            <p className={styles.earlierRun}>
              {workbenchResultsText.resultPanel.earlierRun(`${dayText(shown.at)} ${secondText(shown.at)}`)}
            </p>
          )}
          <Outcome key={shown.id} work={work} outcome={shown.outcome} kind={kind} serverId={serverId} />
        </div>
      )}
      {running === undefined && shown === undefined && (
        <p className={styles.note}>
          {workbenchResultsText.resultPanel.noResultYet} {verb} {workbenchResultsText.resultPanel.emptyState}
        </p>
      )}
    </section>
  )
}

interface OutcomeProps {
  work: Observable<Work>
  outcome: RequestOutcome
  kind: ResultKind
  serverId: string
}

/** What became of a request, with its views. */
export function Outcome({ work, outcome, kind, serverId }: OutcomeProps) {
  switch (outcome.type) {
    case 'failure':
      return (
        <>
          <ResultBar outcome={outcome} />
          <FailureView outcome={outcome} />
        </>
      )
    case 'task':
      return (
        <TaskOutcome serverId={serverId} taskId={outcome.taskId}>
          {(over) => <Outcome work={work} outcome={over} kind={kind} serverId={serverId} />}
        </TaskOutcome>
      )
    case 'error':
      return (
        <Views
          work={work}
          outcome={outcome}
          views={[{ value: 'error', label: workbenchResultsText.resultPanel.error }, MESSAGE]}
          preferred="error"
        >
          <TabPanel value="error" className={styles.page}>
            <ErrorView outcome={outcome} />
          </TabPanel>
        </Views>
      )
    case 'result':
      return <ResultOutcome work={work} outcome={outcome} kind={kind} serverId={serverId} />
  }
}

const MESSAGE = { value: 'message', label: workbenchResultsText.resultPanel.message }
const PARTS: Record<ResultKind, string> = { tool: 'Content', resource: 'Contents', prompt: 'Messages' }

function ResultOutcome({
  work,
  outcome,
  kind,
  serverId,
}: OutcomeProps & { outcome: RequestOutcome & { type: 'result' } }) {
  const indexed = useJsonIndex(outcome.messageText)
  const answer = useMemo(
    () => (indexed?.ok === true ? readAnswer(indexed.index, kind) : undefined),
    [indexed, kind],
  )
  if (indexed === undefined)
    return (
      <p className={styles.note}>
        {workbenchResultsText.resultPanel.reading} {bytesText(outcome.bytes)}…
      </p>
    )
  const structured = answer?.structured
  const views: TabChoice<string>[] = [
    { value: 'parts', label: PARTS[kind], count: answer?.parts.length ?? 0 },
    ...(structured === undefined
      ? []
      : [{ value: 'structured', label: workbenchResultsText.resultPanel.structured }]),
    MESSAGE,
  ]
  const preferred = structured === undefined ? (answer === undefined ? 'message' : 'parts') : 'structured'
  return (
    <Views
      work={work}
      outcome={outcome}
      views={views}
      preferred={preferred}
      verdict={<Verdicts answer={answer} check={outcome.outputCheck} />}
    >
      <TabPanel value="parts" className={styles.page}>
        {answer !== undefined && <AnswerParts answer={answer} kind={kind} serverId={serverId} />}
      </TabPanel>
      {structured !== undefined && (
        <TabPanel value="structured" className={styles.page}>
          <Structured index={structured} check={outcome.outputCheck} />
        </TabPanel>
      )}
    </Views>
  )
}

interface ViewsProps {
  work: Observable<Work>
  outcome: RequestOutcome & { type: 'result' | 'error' }
  views: readonly TabChoice<string>[]
  /** What is shown until the user chooses a view that this outcome has too. */
  preferred: string
  verdict?: ReactNode
  children: ReactNode
}

/** The bar with the views of an answer, and the chosen one below. The whole message is always among them. */
function Views({ work, outcome, views, preferred, verdict, children }: ViewsProps) {
  const view = useSelected(work, (now) => now.view)
  const value = views.some((choice) => choice.value === view) && view !== undefined ? view : preferred
  return (
    <TabsRoot
      value={value}
      onValueChange={(next) => changeWork(work, { view: next })}
      className={styles.root}
    >
      <ResultBar
        outcome={outcome}
        tabs={<TabList label={workbenchResultsText.resultPanel.resultViews} tabs={views} />}
        verdict={verdict}
      />
      {children}
      <TabPanel value="message" className={styles.page}>
        <JsonView text={outcome.messageText} label={workbenchResultsText.resultPanel.fullResponse} />
      </TabPanel>
    </TabsRoot>
  )
}

interface ResultBarProps {
  outcome: RequestOutcome
  tabs?: ReactNode
  verdict?: ReactNode
}

function ResultBar({ outcome, tabs, verdict }: ResultBarProps) {
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
        {outcome.type !== 'failure' && outcome.exchangeId !== undefined && (
          <TestButton exchangeId={outcome.exchangeId} />
        )}
        {outcome.type !== 'failure' && (
          <CopyButton label={workbenchResultsText.resultPanel.copyResult} text={outcome.messageText} />
        )}
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

/** How long it took; the time in which the server waited for answers to its questions apart. */
function Took({ outcome: { durationMs, waitedMs = 0 } }: { outcome: RequestOutcome }) {
  return (
    <span title={waitedMs > 0 ? workbenchResultsText.resultPanel.durationTitle : undefined}>
      <b>{durationText(Math.max(0, durationMs - waitedMs))}</b>
      {waitedMs > 0 && workbenchResultsText.resultPanel.answering(durationText(waitedMs))}
    </span>
  )
}

function Verdicts({ answer, check }: { answer: Answer | undefined; check: OutputCheck }) {
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

/** The structured result as a tree, and as a table where it is a list of objects. */
function Structured({ index, check }: { index: JsonIndex; check: OutputCheck }) {
  const table = useMemo(() => tableOf(index), [index])
  const findings = check.state === 'differs' ? check.findings : []
  return (
    <>
      {findings.length > 0 && (
        <ul
          className={styles.findings}
          aria-label={workbenchResultsText.resultPanel.differencesFromOutputschema}
        >
          {findings.slice(0, 5).map((finding) => (
            <li key={`${finding.path} ${finding.message}`}>
              <span className="mono">
                <SafeText>{finding.path === '' ? '/' : finding.path}</SafeText>
              </span>{' '}
              <SafeText>{finding.message}</SafeText>
            </li>
          ))}
          {findings.length > 5 && (
            <li>
              {workbenchResultsText.resultPanel.and} {findings.length - 5}{' '}
              {workbenchResultsText.resultPanel.more}
            </li>
          )}
        </ul>
      )}
      <div className={table === undefined ? styles.one : styles.two}>
        <JsonTree
          index={index}
          label={workbenchResultsText.resultPanel.structuredcontent}
          bad={findings.map((finding) => finding.path)}
        />
        {table !== undefined && <DataTable table={table} />}
      </div>
    </>
  )
}
