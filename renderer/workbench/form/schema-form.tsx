import { useEffect, useMemo, useState } from 'react'
import { Observable } from '../../state/observable.ts'
import type { Change, Path } from './draft-edits.ts'
import type { Draft } from './draft.ts'
import type { FieldSpec } from './field-spec.ts'
import { FieldRow } from './fields/field-row.tsx'
import styles from './fields/fields.module.css'
import { ObjectMembers } from './fields/object-members.tsx'
import type { Finding } from './finding-message.ts'
import { FormContext, type Complete, type FormShared, type Messages } from './form-context.ts'
import { workbenchFormText } from './text.ts'

interface SchemaFormProps {
  /** Its accessible name. */
  label: string
  spec: FieldSpec
  draft: Draft
  findings: readonly Finding[]
  /** Must stay the same function, so that an edit renders only the fields on its way. */
  onEdit: (path: Path, change: Change) => void
  /** The JSON pointer of the field that got the focus. Must stay the same function. */
  onFocusField: (pointer: string) => void
  /** The value that is pointed at from elsewhere; its field is marked. */
  marked: string | undefined
  /** Must stay the same function. */
  complete?: Complete | undefined
}

/** A form for a JSON Schema: every value it can hold has a field, and what has none is edited as JSON. */
export function SchemaForm(props: SchemaFormProps) {
  const { label, spec, draft, findings, onEdit, onFocusField, marked, complete } = props
  const [messages] = useState(() => new Observable<Messages>(new Map()))
  const [markedField] = useState(() => new Observable<string | undefined>(undefined))

  useEffect(() => messages.set(messagesOf(findings)), [messages, findings])
  useEffect(() => markedField.set(marked), [markedField, marked])

  const shared = useMemo<FormShared>(
    () => ({ Field: FieldRow, edit: onEdit, messages, marked: markedField, onFocus: onFocusField, complete }),
    [onEdit, messages, markedField, onFocusField, complete],
  )
  const root = { spec, draft, path: '', pointer: '', label: '', required: true }
  const isPlain = spec.shape.type === 'object' && draft.misfit === undefined
  return (
    <FormContext value={shared}>
      <form className={styles.form} aria-label={label} onSubmit={(event) => event.preventDefault()}>
        {isPlain && isEmpty(spec, draft) && (
          <p className={styles.nothing}>{workbenchFormText.schemaForm.itTakesNoArguments}</p>
        )}
        {isPlain ? (
          <ObjectMembers {...root} />
        ) : (
          <FieldRow {...root} label={workbenchFormText.schemaForm.arguments} />
        )}
      </form>
    </FormContext>
  )
}

function isEmpty({ shape }: FieldSpec, { body }: Draft): boolean {
  if (shape.type !== 'object' || shape.properties.length > 0 || shape.pairs.type === 'offered') return false
  return body.type === 'object' && body.pairs.length === 0
}

function messagesOf(findings: readonly Finding[]): Messages {
  const messages = new Map<string, string>()
  for (const { pointer, message } of findings) {
    const before = messages.get(pointer)
    messages.set(pointer, before === undefined ? message : `${before}; ${message}`)
  }
  return messages
}
