import { useId, type ReactNode } from 'react'
import { visibleText } from '../../../../server-core/protocol/visible-text.ts'
import { classes } from '../../../controls/classes.ts'
import { Tooltip } from '../../../controls/tooltip.tsx'
import { SafeText } from '../../../text/safe-text.tsx'
import { useForm, useIsMarked, useMessage } from '../form-context.ts'
import { defaultNote } from '../new-draft.ts'
import type { ControlProps, FieldProps } from './field-props.ts'
import styles from './fields.module.css'
import { brokenJsonMessage } from './json-control.tsx'
import { unfinishedMessage } from './number-control.tsx'

interface RowProps extends FieldProps {
  control: (control: ControlProps) => ReactNode
  /** The control is a group with a name of its own, so the label is only text. */
  isGroup?: boolean
  note?: string
  /** Fields that belong to this one. */
  below?: ReactNode
}

/** One line of the form: label, control, type; below them what is wrong, and the fields that belong to it. */
export function Row({ control, isGroup = false, note, below, ...field }: RowProps) {
  const id = useId()
  const shared = useForm()
  const found = useMessage(field.pointer)
  const marked = useIsMarked(field.pointer)
  const { spec, draft, pointer } = field
  const message = unfinishedMessage(draft) ?? brokenJsonMessage(draft) ?? found
  const description = spec.description
  const describedBy =
    message !== undefined ? `${id}-message` : description === undefined ? undefined : `${id}-about`
  return (
    <>
      <div
        className={classes(styles.row, marked && styles.marked)}
        onFocus={() => shared.onFocus(pointer)}
        data-pointer={pointer}
      >
        <Label {...field} id={id} isGroup={isGroup || !takesLabel(field)} />
        <span className={styles.control}>
          {control({ ...field, id, describedBy, invalid: found !== undefined })}
          {draft.presence === 'left-out' && defaultNote(spec) !== undefined && (
            <span className={styles.default}>
              <SafeText>{defaultNote(spec) ?? ''}</SafeText>
            </span>
          )}
        </span>
        <span className={styles.note}>{note ?? spec.note}</span>
        {message !== undefined && (
          <span className={styles.message} id={`${id}-message`}>
            <SafeText>{message}</SafeText>
          </span>
        )}
        {description !== undefined && (
          <span className="vh" id={`${id}-about`}>
            <SafeText>{description}</SafeText>
          </span>
        )}
      </div>
      {below}
    </>
  )
}

/** Radio groups and boxes are named by themselves; a label element would point at nothing. */
function takesLabel({ spec, draft }: FieldProps): boolean {
  if (draft.misfit !== undefined) return true
  if (draft.presence === 'null') return false
  return spec.shape.type === 'string' || spec.shape.type === 'number' || spec.shape.type === 'json'
}

function Label({
  spec,
  label,
  required,
  id,
  isGroup,
  note,
}: FieldProps & { id: string; isGroup: boolean; note?: string }) {
  const about = [spec.title, spec.description, note ?? spec.note, required ? 'required' : 'optional']
  const text = <SafeText>{label}</SafeText>
  const className = classes(
    styles.label,
    required && styles.required,
    spec.deprecated && styles.deprecated,
    spec.description !== undefined && styles.described,
  )
  return (
    <Tooltip content={visibleText(about.filter((part) => part !== undefined && part !== '').join(' · '))}>
      {isGroup ? (
        <span className={className}>{text}</span>
      ) : (
        <label className={className} htmlFor={id}>
          {text}
        </label>
      )}
    </Tooltip>
  )
}
