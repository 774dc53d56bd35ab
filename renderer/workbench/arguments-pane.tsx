import { memo, useCallback, useDeferredValue, useMemo, useState } from 'react'
import type { Parsed } from '../../server-core/protocol/parsed.ts'
import { LinkButton } from '../controls/button.tsx'
import { CopyButton } from '../controls/copy-button.tsx'
import { Icon } from '../controls/icon.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import type { EditorMark } from '../json/json-editor-props.ts'
import { JsonEditor } from '../json/json-editor.tsx'
import { endOf, indexJson, startOf, type JsonIndex } from '../json/json-index.ts'
import { nodeAtPointer, pointersAtOffset } from '../json/json-pointer.ts'
import { useSelected, type Observable } from '../state/observable.ts'
import { SafeText } from '../text/safe-text.tsx'
import {
  argumentsText,
  dropSetAside,
  putBack,
  typeArguments,
  unfinishedReason,
} from './form/arguments-state.ts'
import type { Check } from './form/check-arguments.ts'
import type { Finding } from './form/finding-message.ts'
import type { Complete } from './form/form-context.ts'
import { SchemaForm } from './form/schema-form.tsx'
import { useCheck } from './form/use-check.ts'
import { useContentHeight } from './use-content-height.ts'
import type { Request } from './use-call.ts'
import { useEdit, useFindings } from './use-form.ts'
import { changeWork, type Work } from './work-store.ts'
import styles from './workbench.module.css'
import { workbenchText } from './text.ts'

/** Text that is larger is not searched for the place of a field on every keystroke. */
const MAX_MARKED = 200_000

/** What is edited, in the middle of a sentence and as a title. */
export type PaneNoun = { readonly one: string; readonly title: string }

const ARGUMENTS: PaneNoun = { one: 'arguments', title: workbenchText.argumentsPane.arguments }

interface ArgumentsPaneProps {
  work: Observable<Work>
  title: string
  description: string | undefined
  noun?: PaneNoun
  onRun: () => void
  /** The request for these arguments; a text says why there is none. */
  request: (argumentsText: string) => Parsed<Request>
  complete?: Complete | undefined
  /** Gets the height in pixels that the arguments take without scrolling; must stay the same function. */
  onHeight?: ((height: number) => void) | undefined
}

/** The arguments twice, side by side: as a form and as JSON. An edit of one shows in the other. */
export const ArgumentsPane = memo(function ArgumentsPane(props: ArgumentsPaneProps) {
  const { work, title, description, onRun, request, complete, noun = ARGUMENTS, onHeight } = props
  // Calls that begin and end change the work too, and render nothing here.
  const spec = useSelected(work, (now) => now.spec)
  const schema = useSelected(work, (now) => now.schema)
  const typed = useSelected(work, (now) => now.arguments)
  const wasSent = useSelected(work, (now) => now.history.length > 0)
  // The form shows a keystroke at once; its JSON, and all that is worked out from it, follows after the paint.
  const calm = useDeferredValue(useMemo(() => ({ spec, typed }), [spec, typed]))
  const [focusedField, setFocusedField] = useState<string | undefined>(undefined)
  const [pointedAt, setPointedAt] = useState<string | undefined>(undefined)
  const text = useMemo(() => typed.typed ?? argumentsText(calm.spec, calm.typed), [typed.typed, calm])
  const refusal = useMemo(() => (indexJson(text).ok ? refusalOf(request(text)) : undefined), [request, text])
  const unfinished = useMemo(() => unfinishedReason(calm.spec, calm.typed), [calm])
  const check = useCheck(
    schema,
    typed.problem === undefined && calm.typed.problem === undefined ? text : undefined,
  )
  const index = useMemo(() => indexOf(text), [text])
  const { findings, told } = useFindings(check, wasSent)
  const marks = useMemo(
    () => marksOf(findings, index, typed.problem?.offset, typed.problem?.message),
    [findings, index, typed.problem],
  )
  const focusedNode =
    index === undefined || focusedField === undefined ? undefined : nodeAtPointer(index, focusedField)

  const content = useContentHeight(text, onHeight)
  const onEdit = useEdit(work)
  const onFocusField = useCallback((pointer: string) => {
    setFocusedField(pointer)
    setPointedAt(undefined)
  }, [])

  const onTextChange = useCallback(
    (next: string) => {
      const { spec: at, arguments: before } = work.get()
      changeWork(work, { arguments: typeArguments(at, before, next) })
    },
    [work],
  )
  const onCursor = useCallback(
    (offset: number) => {
      setFocusedField(undefined)
      setPointedAt(index === undefined ? undefined : pointersAtOffset(index, offset).at(-1))
    },
    [index],
  )

  return (
    <div className={styles.call}>
      <div className={styles.form} tabIndex={-1}>
        <div ref={content} className={styles.formContent}>
          {description !== undefined && (
            <p className={styles.lead} title={description}>
              <SafeText>{description}</SafeText>
            </p>
          )}
          <SchemaForm
            label={workbenchText.argumentsPane.ofText(noun.title, title)}
            spec={spec}
            draft={typed.draft}
            findings={told}
            onEdit={onEdit}
            onFocusField={onFocusField}
            marked={pointedAt}
            complete={complete}
          />
        </div>
      </div>
      <section className={styles.json} aria-label={workbenchText.argumentsPane.asJson(noun.title)}>
        <div className={styles.paneHead}>
          <span>{noun.one}</span>
          <Verdict check={check} problem={typed.problem} refusal={unfinished ?? refusal} />
          <span className={styles.paneEnd}>
            <CopyButton tight label={workbenchText.argumentsPane.copyAsJson} text={text} />
            {onHeight !== undefined && (
              <IconButton
                tight
                icon="chev-u"
                label={workbenchText.callTab.foldArguments}
                keys="["
                onClick={() => changeWork(work, { isFolded: true })}
              />
            )}
          </span>
        </div>
        {typed.setAside !== undefined && (
          <div className={styles.aside} role="status">
            <span>{workbenchText.argumentsPane.unfinishedJsonReplaced}</span>
            <LinkButton onClick={() => changeWork(work, { arguments: putBack(spec, typed) })}>
              {workbenchText.argumentsPane.restore}
            </LinkButton>
            <IconButton
              tight
              icon="close"
              label={workbenchText.argumentsPane.discard}
              onClick={() => changeWork(work, { arguments: dropSetAside(typed) })}
            />
          </div>
        )}
        <JsonEditor
          label={workbenchText.argumentsPane.asJson(noun.title)}
          text={text}
          onTextChange={onTextChange}
          onRun={onRun}
          marks={marks}
          markedOffset={
            index === undefined || focusedNode === undefined || focusedNode === 0
              ? undefined
              : startOf(index, focusedNode)
          }
          onCursor={onCursor}
        />
      </section>
    </div>
  )
})

function refusalOf(request: Parsed<Request>): string | undefined {
  return request.ok ? undefined : request.reason
}

function indexOf(text: string): JsonIndex | undefined {
  if (text.length > MAX_MARKED) return undefined
  const indexed = indexJson(text)
  return indexed.ok ? indexed.index : undefined
}

function marksOf(
  findings: readonly Finding[],
  index: JsonIndex | undefined,
  brokenAt: number | undefined,
  brokenWhy: string | undefined,
): readonly EditorMark[] {
  if (brokenAt !== undefined) return [{ from: brokenAt, to: brokenAt + 1, message: brokenWhy ?? '' }]
  if (index === undefined) return []
  return findings.flatMap(({ pointer, message }) => {
    const node = nodeAtPointer(index, pointer)
    if (node === undefined || node === 0) return []
    return [{ from: startOf(index, node), to: endOf(index, node), message }]
  })
}

interface VerdictProps {
  check: Check | undefined
  problem: Work['arguments']['problem']
  refusal: string | undefined
}

/** How the JSON stands: valid, what is wrong, or where it stops being JSON. */
function Verdict({ check, problem, refusal }: VerdictProps) {
  if (problem !== undefined) {
    const place = `line ${String(problem.line)}, column ${String(problem.column)}`
    return <VerdictText tone="is-error">{`${place}: ${problem.message}`}</VerdictText>
  }
  if (refusal !== undefined) return <VerdictText tone="is-error">{refusal}</VerdictText>
  if (check === undefined) return null
  if (check.state === 'valid')
    return <VerdictText tone="is-ok">{workbenchText.argumentsPane.valid}</VerdictText>
  if (check.state === 'not-checked')
    return <VerdictText tone="is-warn">{workbenchText.argumentsPane.notChecked(check.reason)}</VerdictText>
  const [first] = check.findings
  const count = check.findings.length
  const more = count > 1 ? ` and ${String(count - 1)} more` : ''
  const isOnlyMissing = check.findings.every(({ isMissing }) => isMissing === true)
  const place =
    first === undefined || first.pointer === '' || first.isMissing === true ? '' : `${first.pointer} `
  return (
    <VerdictText
      tone={isOnlyMissing ? 'is-warn' : 'is-error'}
    >{`${place}${first?.message ?? 'does not fit the schema'}${more}`}</VerdictText>
  )
}

function VerdictText({ tone, children }: { tone: 'is-ok' | 'is-warn' | 'is-error'; children: string }) {
  const icon = tone === 'is-ok' ? 'check' : tone === 'is-warn' ? 'warn' : 'kind-error'
  return (
    <span className={`${styles.verdict ?? ''} ${tone}`} role="status" title={children}>
      <Icon name={icon} />
      <span className="clip">
        <SafeText>{children}</SafeText>
      </span>
    </span>
  )
}
