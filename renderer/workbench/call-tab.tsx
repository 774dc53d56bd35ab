import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import type { Parsed } from '../../server-core/protocol/parsed.ts'
import { Button } from '../controls/button.tsx'
import { TabList, TabPanel, TabsRoot } from '../controls/tabs.tsx'
import { useShortcut } from '../controls/use-shortcut.ts'
import { JsonView } from '../json/json-view.tsx'
import type { Mark } from '../explorer/entries.ts'
import { Observable, useSelected } from '../state/observable.ts'
import { SafeText } from '../text/safe-text.tsx'
import { ArgumentsPane } from './arguments-pane.tsx'
import { CallLayout } from './call-layout.tsx'
import { focusFieldWhenThere } from './focus-tab.ts'
import type { CompletionRef } from './use-completions.ts'
import { useCompletions } from './use-completions.ts'
import { HistoryPage } from './history-page.tsx'
import { ResultPanel } from './results/result-panel.tsx'
import type { ResultKind } from './results/answer.ts'
import { obstacleOf } from './obstacle.ts'
import { readyRequest } from './ready-request.ts'
import { repeatedCallsOf } from './repeat/repeated-calls.ts'
import { SendButton } from './send-button.tsx'
import { TabNotice } from './tab-notice.tsx'
import { useCall, type Request } from './use-call.ts'
import type { Definition } from './use-listed.ts'
import { changeWork, takeSchema, type Work } from './work-store.ts'
import styles from './workbench.module.css'
import { workbenchText } from './text.ts'

/** Loaded when it is shown first. */
const RepeatPage = lazy(() => import('./repeat/repeat-page.tsx'))

interface CallTabProps {
  /** The id of the tab. */
  id: string
  work: Observable<Work>
  serverId: string
  /** What the tab is about, as its title. */
  title: string
  marks: readonly Mark[]
  tags?: readonly string[]
  description: string | undefined
  definition: Definition
  /** What kind of thing it is, for sentences: "tool". */
  noun: string
  schema: unknown
  /** The word on the button that sends, and on the first page. */
  verb: string
  pageName: string
  kind: ResultKind
  /** The request for these arguments; or why there is none. */
  request: (argumentsText: string) => Parsed<Request>
  /** Another way to send them: its word, and its request. */
  other?: { readonly verb: string; readonly request: (argumentsText: string) => Parsed<Request> } | undefined
  /** What the server completes arguments of, if this is such a thing. */
  completes?: CompletionRef
  /** Beside the title. */
  extra?: ReactNode
}

/** A tab that sends requests with arguments: a form and its JSON above, what became of the request below. */
export function CallTab(props: CallTabProps) {
  const { work, serverId, title, definition, noun, schema, verb, pageName } = props
  // Only what changes seldom is watched here: a keystroke in the form renders the form and nothing around it.
  const page = useSelected(work, (now) => now.page)
  const running = useSelected(work, (now) => now.running)
  const sent = useSelected(work, (now) => now.history.length)
  const isBroken = useSelected(work, (now) => now.arguments.problem !== undefined)
  const { send, cancel } = useCall(props.id, work, serverId)
  const complete = useCompletions(work, definition.server, props.completes)
  const obstacle = isBroken ? workbenchText.callTab.unfinishedJson : obstacleOf(definition.server)
  const canRun = running === undefined && obstacle === undefined

  useEffect(() => takeSchema(work, schema), [work, schema])

  const showField = (pointer: string): void => {
    changeWork(work, { page: 'call', isFolded: false })
    focusFieldWhenThere(pointer)
  }

  const run = (requestOf = props.request): void => {
    if (!canRun) return
    const ready = readyRequest(work.get(), requestOf, showField)
    if (ready !== undefined) send(ready.request, ready.argumentsText)
  }

  const repeated = repeatedCallsOf(props.id)
  const repeat = (): void => {
    const ready = readyRequest(work.get(), props.request, showField)
    if (ready !== undefined) repeated.start(serverId, ready.request)
  }

  useShortcut('mod+enter', run)
  useShortcut('[', () => changeWork(work, { isFolded: work.get().isFolded !== true }))
  const latestRun = useRef(run)
  useLayoutEffect(() => {
    latestRun.current = run
  })
  const [neededHeight] = useState(() => new Observable(0))
  const onHeight = useCallback((height: number) => neededHeight.set(height), [neededHeight])
  const runLatest = useCallback(() => latestRun.current(), [])

  const pages = [
    { value: 'call', label: pageName },
    { value: 'definition', label: workbenchText.callTab.definition },
    { value: 'history', label: workbenchText.callTab.history, ...(sent > 0 ? { count: sent } : {}) },
    { value: 'repeat', label: workbenchText.callTab.repeat },
  ]
  return (
    <TabsRoot value={page} onValueChange={(next) => changeWork(work, { page: next })} className={styles.root}>
      <div className={styles.head}>
        <h2 className={`${styles.title ?? ''} clip`} title={visibleText(title)}>
          <SafeText>{title}</SafeText>
        </h2>
        {props.tags?.map((tag) => (
          <span key={tag} className="mark" title={workbenchText.callTab.tagTitle}>
            <SafeText>{tag}</SafeText>
          </span>
        ))}
        {props.marks.map((mark) => (
          <span
            key={mark.word}
            className={mark.word === 'destr' ? 'mark mark-warn' : 'mark'}
            title={mark.meaning}
          >
            {mark.word}
          </span>
        ))}
        {props.extra}
        <div className={styles.tabs}>
          <TabList label={workbenchText.callTab.viewsOf(visibleText(title))} tabs={pages} />
        </div>
        <div className={styles.end}>
          {running === undefined && props.other !== undefined && (
            <Button disabled={!canRun} title={obstacle} onClick={() => run(props.other?.request)}>
              {props.other.verb}
            </Button>
          )}
          <SendButton
            verb={verb}
            isRunning={running !== undefined}
            isCancelling={running?.isCancelling === true}
            obstacle={obstacle}
            onSend={() => run()}
            onCancel={cancel}
          />
        </div>
      </div>
      <TabNotice definition={definition} noun={noun} />
      <TabPanel value="call" className={styles.page}>
        <CallLayout
          work={work}
          neededHeight={neededHeight}
          arguments={
            <ArgumentsPane
              work={work}
              title={title}
              description={props.description}
              onRun={runLatest}
              request={props.request}
              complete={complete}
              onHeight={onHeight}
            />
          }
          result={
            <ResultPanel
              work={work}
              serverId={serverId}
              subject={title}
              kind={props.kind}
              verb={verb}
              onRun={canRun ? runLatest : undefined}
            />
          }
        />
      </TabPanel>
      <TabPanel value="definition" className={styles.page}>
        <DefinitionPage definition={definition} noun={noun} />
      </TabPanel>
      <TabPanel value="history" className={styles.page}>
        <HistoryPage work={work} verb={verb} />
      </TabPanel>
      <TabPanel value="repeat" className={styles.page}>
        <Suspense>
          <RepeatPage
            calls={repeated}
            obstacle={obstacle}
            isDestructive={props.marks.some(({ word }) => word === 'destr')}
            onStart={repeat}
          />
        </Suspense>
      </TabPanel>
    </TabsRoot>
  )
}

/** The page of a tab that shows the entry as the server listed it. `noun` says what kind of entry it is. */
export function DefinitionPage({ definition, noun }: { definition: Definition; noun: string }) {
  const value = definition.listed?.value
  const text = useMemo(() => (value === undefined ? undefined : JSON.stringify(value)), [value])
  if (text === undefined)
    return (
      <p className={styles.lead}>
        {workbenchText.callTab.notListed} {noun} {workbenchText.callTab.yet}
      </p>
    )
  return <JsonView text={text} label={workbenchText.callTab.definitionOfThe(noun)} />
}
