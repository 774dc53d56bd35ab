import { LinkButton } from '../../../controls/button.tsx'
import { classes } from '../../../controls/classes.ts'
import { indexJson } from '../../../json/json-index.ts'
import { dropMisfit, typeJson } from '../draft-edits.ts'
import type { Draft, JsonBody } from '../draft.ts'
import { useForm } from '../form-context.ts'
import { namedBy, type ControlProps } from './field-props.ts'
import styles from './fields.module.css'
import { workbenchFormFieldsText } from './text.ts'

/** Text longer than this is edited in the editor beside the form. */
const MAX_TEXT = 20_000

/** A value as JSON text: what the form cannot express, or a value that did not fit its field. */
export function JsonControl(props: ControlProps) {
  const { spec, draft, path, required, label } = props
  const { edit } = useForm()
  const body = jsonOf(draft)
  const text = draft.presence === 'set' ? (body?.text ?? '') : ''
  const invalid = props.invalid || isBroken(text)
  const isLong = text.length > MAX_TEXT
  return (
    <span className={styles.stack}>
      <span className={classes(styles.field, invalid && styles.invalid)}>
        <textarea
          {...namedBy({ ...props, invalid })}
          rows={1}
          spellCheck={false}
          readOnly={isLong}
          className="mono"
          placeholder={
            required
              ? workbenchFormFieldsText.jsonControl.jsonRequired
              : workbenchFormFieldsText.jsonControl.jsonOptional
          }
          value={isLong ? `${text.slice(0, 500)}…` : text}
          onChange={(event) => edit(path, typeJson(event.currentTarget.value, !required))}
        />
      </span>
      <span className={styles.hint}>
        {draft.misfit === undefined
          ? spec.shape.type === 'json' && spec.shape.reason
          : workbenchFormFieldsText.jsonControl.keptAsJson}
        {draft.misfit !== undefined && (
          <LinkButton
            onClick={() => edit(path, dropMisfit)}
            aria-label={workbenchFormFieldsText.jsonControl.useTheFieldOf(label)}
          >
            {workbenchFormFieldsText.jsonControl.useTheField}
          </LinkButton>
        )}
      </span>
    </span>
  )
}

function jsonOf(draft: Draft): JsonBody | undefined {
  return draft.misfit ?? (draft.body.type === 'json' ? draft.body : undefined)
}

function isBroken(text: string): boolean {
  return text.trim() !== '' && !indexJson(text).ok
}

/** What is wrong with the text, and what JSON has meanwhile. */
export function brokenJsonMessage(draft: Draft): string | undefined {
  const body = jsonOf(draft)
  if (body === undefined || draft.presence !== 'set' || body.text.trim() === '') return undefined
  const indexed = indexJson(body.text)
  if (indexed.ok) return undefined
  const { message, line, column } = indexed.problem
  const place = `line ${String(line)}, column ${String(column)}`
  return workbenchFormFieldsText.jsonControl.notJsonYet(
    message,
    place,
    body.kept === undefined ? 'It is left out of the JSON.' : 'JSON keeps the last value.',
  )
}
