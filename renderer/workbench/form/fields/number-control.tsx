import { classes } from '../../../controls/classes.ts'
import { Icon } from '../../../controls/icon.tsx'
import { stepNumber, typeNumber } from '../draft-edits.ts'
import type { Draft } from '../draft.ts'
import { useForm } from '../form-context.ts'
import { isUnfinishedNumber } from '../unfinished.ts'
import { namedBy, type ControlProps } from './field-props.ts'
import styles from './fields.module.css'
import { workbenchFormFieldsText } from './text.ts'

/** A number as text: nothing typed is changed, and numbers of any size stay exact. */
export function NumberControl(props: ControlProps) {
  const { spec, draft, path, required, label } = props
  const { edit } = useForm()
  const text = numberDraftText(draft)
  const isDraft = isUnfinishedNumber(draft)
  const invalid = props.invalid || isDraft
  const integer = spec.shape.type === 'number' && spec.shape.integer
  return (
    <span className={classes(styles.field, styles.number, invalid && styles.invalid)}>
      <input
        {...namedBy({ ...props, invalid })}
        type="text"
        inputMode={integer ? 'numeric' : 'decimal'}
        autoComplete="off"
        spellCheck={false}
        className="mono"
        value={text}
        placeholder={
          required
            ? workbenchFormFieldsText.numberControl.required
            : workbenchFormFieldsText.numberControl.optional
        }
        onChange={(event) => edit(path, typeNumber(event.currentTarget.value, !required))}
        onKeyDown={(event) => {
          if (event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
          event.preventDefault()
          edit(path, stepNumber(event.key === 'ArrowUp' ? 1 : -1))
        }}
      />
      {isDraft && <span className={styles.affix}>{workbenchFormFieldsText.numberControl.draft}</span>}
      {!isDraft && isBeyondDouble(text) && (
        <span className={styles.affix}>{workbenchFormFieldsText.numberControl.exact}</span>
      )}
      <span className={styles.stepper}>
        <button
          type="button"
          tabIndex={-1}
          aria-label={workbenchFormFieldsText.numberControl.less(label)}
          onClick={() => edit(path, stepNumber(-1))}
        >
          <Icon name="minus" small />
        </button>
        <button
          type="button"
          tabIndex={-1}
          aria-label={workbenchFormFieldsText.numberControl.more(label)}
          onClick={() => edit(path, stepNumber(1))}
        >
          <Icon name="plus" small />
        </button>
      </span>
    </span>
  )
}

function numberDraftText(draft: Draft): string {
  return draft.presence === 'set' && draft.body.type === 'number' ? draft.body.text : ''
}

function isBeyondDouble(text: string): boolean {
  return /^-?\d{16,}$/.test(text.trim()) && !Number.isSafeInteger(Number(text))
}

/** What JSON has while the number is not finished. */
export function unfinishedMessage(draft: Draft): string | undefined {
  if (!isUnfinishedNumber(draft) || draft.body.type !== 'number') return undefined
  const kept = draft.body.kept
  return kept === undefined
    ? workbenchFormFieldsText.numberControl.unfinishedLeftOut
    : workbenchFormFieldsText.numberControl.unfinishedKept(kept)
}
