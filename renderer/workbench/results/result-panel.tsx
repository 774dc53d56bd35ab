import { lazy, Suspense, useMemo, useRef, type ReactNode } from 'react'
import type { OutputCheck, RequestOutcome } from '../../../server-core/host/contract/inspect.ts'
import { classes } from '../../controls/classes.ts'
import { TabList, TabPanel, TabsRoot, type TabChoice } from '../../controls/tabs.tsx'
import { indexJson, type JsonIndex } from '../../json/json-index.ts'
import { JsonTree, JsonView } from '../../json/json-view.tsx'
import { useJsonIndex } from '../../json/use-json-index.ts'
import { useShortcut } from '../../controls/use-shortcut.ts'
import { useObservable, useSelected, type Observable } from '../../state/observable.ts'
import { TaskOutcome } from '../../tasks/task-outcome.tsx'
import { bytesText } from '../../text/measures.ts'
import { dayText, secondText } from '../../text/times.ts'
import { SafeText } from '../../text/safe-text.tsx'
import { changeWork, type Work } from '../work-store.ts'
import { AnswerParts } from './answer-parts.tsx'
import { readAnswer, type Answer, type ResultKind } from './answer.ts'
import { MaximizedHead } from './maximized-head.tsx'
import { isResultMaximized, toggleMaximized, useAlone } from './maximized.ts'
import { ErrorView, FailureView } from './error-view.tsx'
import styles from './results.module.css'
import { ResultBar, Verdicts } from './result-bar.tsx'
import { RunningView } from './running-view.tsx'
import { seriesColumns } from './chart/chart-data.ts'
import { readBlock } from './block.ts'
import { SideTable } from './table/side-table.tsx'
import { findTable, readTableRows, type TablePlace } from './table/table-rows.ts'
import { workbenchResultsText } from './text.ts'

/** Loaded with the first result that has them. */
const TableView = lazy(() => import('./table/table-view.tsx'))
const ChartView = lazy(() => import('./chart/chart-view.tsx'))

/** Characters of text that is looked through for a table. */
const MAX_TABLE_TEXT = 1_000_000

interface ResultPanelProps {
  work: Observable<Work>
  serverId: string
  /** What is called or read: the name of the tool or prompt, or the URI. */
  subject: string
  kind: ResultKind
  /** The word on the button that sends. */
  verb: string
  /** Sends it again; undefined while that is not possible. */
  onRun: (() => void) | undefined
}

/** What became of the request: the answer by type and as the message it is, or why there is none. */
export function ResultPanel({ work, serverId, subject, kind, verb, onRun }: ResultPanelProps) {
  const running = useSelected(work, (now) => now.running)
  const shown = useSelected(work, (now) => now.shown)
  const isMaximized = useObservable(isResultMaximized)
  const section = useRef<HTMLElement>(null)

  useAlone(section, isMaximized)
  useShortcut('F9', toggleMaximized)

  return (
    <section
      ref={section}
      className={classes(styles.result, isMaximized && styles.maximized)}
      aria-label={workbenchResultsText.resultPanel.result}
      tabIndex={-1}
    >
      {isMaximized && <MaximizedHead work={work} subject={subject} verb={verb} onRun={onRun} />}
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
  const table = useMemo(() => (answer === undefined ? undefined : tableOfAnswer(answer)), [answer])
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
    ...(table === undefined ? [] : [{ value: 'table', label: workbenchResultsText.resultPanel.table }]),
    ...(table?.hasChart === true ? [{ value: 'chart', label: workbenchResultsText.resultPanel.chart }] : []),
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
          <Structured index={structured} check={outcome.outputCheck} table={table?.place} />
        </TabPanel>
      )}
      {table !== undefined && (
        <Suspense>
          <TabPanel value="table" className={styles.page}>
            <TableView source={table.place} />
          </TabPanel>
          <TabPanel value="chart" className={styles.page}>
            <ChartView source={table.place} />
          </TabPanel>
        </Suspense>
      )}
    </Views>
  )
}

/** Rows by which it is decided whether there is anything to draw. */
const LOOKED_AT = 50

/** The list of objects in what a tool returned. All of it is read when it is shown: that takes long for a large one. */
function tableOfAnswer(answer: Answer): { place: TablePlace; hasChart: boolean } | undefined {
  const place = findTableIn(answer)
  if (place === undefined) return undefined
  return { place, hasChart: seriesColumns(readTableRows(place, LOOKED_AT)).length > 0 }
}

/** In the structured result, or in the JSON that is the only text. */
function findTableIn({ structured, parts }: Answer): TablePlace | undefined {
  const [only] = parts
  if (structured !== undefined) return findTable(structured)
  if (only === undefined || parts.length > 1) return undefined
  const block = readBlock(only.source)
  if (block.type !== 'text' || block.text.length > MAX_TABLE_TEXT) return undefined
  const indexed = indexJson(block.text)
  return indexed.ok ? findTable(indexed.index) : undefined
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

interface StructuredProps {
  index: JsonIndex
  check: OutputCheck
  table: TablePlace | undefined
}

/** The structured result as a tree, and as a table where it is a list of objects. */
function Structured({ index, check, table }: StructuredProps) {
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
        {table !== undefined && <SideTable source={table} />}
      </div>
    </>
  )
}
