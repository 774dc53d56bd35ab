import type { KeyboardEvent } from 'react'
import { LinkButton } from '../../../controls/button.tsx'
import { classes } from '../../../controls/classes.ts'
import { countText } from '../../../text/measures.ts'
import { include, leaveOut, typeText } from '../draft-edits.ts'
import { useForm } from '../form-context.ts'
import { CompletedText } from './completed-text.tsx'
import { FileControl } from './file-control.tsx'
import { namedBy, type ControlProps } from './field-props.ts'
import styles from './fields.module.css'
import { workbenchFormFieldsText } from './text.ts'

/** Text longer than this is not edited in a field: the JSON beside it is the better place. */
const MAX_TEXT = 20_000

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  date: '2026-11-21',
  'date-time': '2026-11-21T21:42:00Z',
  time: '21:42:00Z',
  email: 'name@example.com',
  uri: 'https://example.com/',
}

/** A string. It is a text area of one line, so that text of several lines loses none. */
export function TextControl(props: ControlProps) {
  const { spec, draft, path, pointer, invalid, required } = props
  const { edit, complete } = useForm()
  const shape = spec.shape
  if (shape.type !== 'string') return null
  if (shape.base64) return <FileControl {...props} />
  const text = draft.presence === 'set' && draft.body.type === 'text' ? draft.body.text : ''
  if (text.length > MAX_TEXT) {
    return (
      <span className={classes(styles.field, styles.still)}>
        {countText(text.length)} {workbenchFormFieldsText.textControl.editInJson}
        <LinkButton onClick={() => edit(path, typeText('', !required))}>
          {workbenchFormFieldsText.textControl.clear}
        </LinkButton>
      </span>
    )
  }
  const isEmptySet = draft.presence === 'set' && text === ''
  const now = nowText(shape.format)
  // Only arguments themselves are completed, and only a field of one line has a list.
  const isCompleted = complete !== undefined && pointer.lastIndexOf('/') === 0 && !text.includes('\n')
  return (
    <span className={classes(styles.field, invalid && styles.invalid)}>
      {isCompleted ? (
        <CompletedText
          control={props}
          complete={complete}
          text={text}
          placeholder={placeholder(required, isEmptySet, shape.format)}
          onText={(next) => edit(path, typeText(next, !required))}
        />
      ) : (
        <textarea
          {...namedBy(props)}
          rows={1}
          spellCheck={false}
          className={classes(shape.format !== undefined && 'mono')}
          placeholder={placeholder(required, isEmptySet, shape.format)}
          value={text}
          onChange={(event) => edit(path, typeText(event.currentTarget.value, !required))}
          onKeyDown={(event) => stayOnOneLine(event, text)}
        />
      )}
      {text === '' && !required && (
        <button
          type="button"
          className={styles.affixButton}
          onClick={() => edit(path, isEmptySet ? leaveOut : include)}
          aria-label={
            isEmptySet
              ? workbenchFormFieldsText.textControl.omit(props.label)
              : workbenchFormFieldsText.textControl.sendEmpty(props.label)
          }
          title={
            isEmptySet
              ? workbenchFormFieldsText.textControl.omitTitle
              : workbenchFormFieldsText.textControl.sendAnEmptyString
          }
        >
          {isEmptySet
            ? workbenchFormFieldsText.textControl.omitWord
            : workbenchFormFieldsText.textControl.sendEmptyWord}
        </button>
      )}
      {now !== undefined && (
        <button
          type="button"
          className={styles.affixButton}
          title={workbenchFormFieldsText.textControl.insertNow}
          onClick={() => edit(path, typeText(nowText(shape.format) ?? now, false))}
        >
          {workbenchFormFieldsText.textControl.now}
          <span className="vh">
            {' '}
            {workbenchFormFieldsText.textControl.forText} {props.label}
          </span>
        </button>
      )}
    </span>
  )
}

function placeholder(required: boolean, isEmptySet: boolean, format: string | undefined): string {
  if (isEmptySet) return 'empty string'
  const example = format === undefined ? undefined : PLACEHOLDERS[format]
  return example ?? (required ? 'required' : 'optional')
}

/** Enter starts a new line only in text that has lines already, or with Shift; with Ctrl or ⌘ it is the tab's. */
function stayOnOneLine(event: KeyboardEvent, text: string): void {
  if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.metaKey) return
  if (!text.includes('\n')) event.preventDefault()
}

function nowText(format: string | undefined): string | undefined {
  const now = new Date()
  if (format === 'date-time') return now.toISOString().replace(/\.\d+Z$/, 'Z')
  if (format === 'date') return now.toISOString().slice(0, 10)
  return undefined
}
