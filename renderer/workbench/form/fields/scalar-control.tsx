import { Checkbox } from '../../../controls/checkbox.tsx'
import { classes } from '../../../controls/classes.ts'
import { setNull } from '../draft-edits.ts'
import { useForm } from '../form-context.ts'
import { BooleanControl, ChoicesControl, ConstControl, EnumControl } from './choice-controls.tsx'
import type { ControlProps } from './field-props.ts'
import styles from './fields.module.css'
import { JsonControl } from './json-control.tsx'
import { NumberControl } from './number-control.tsx'
import { TextControl } from './text-control.tsx'
import { workbenchFormFieldsText } from './text.ts'

/** The control of a field that is not a group, with its `null` box where the schema allows null. */
export function ScalarControl(props: ControlProps) {
  const { spec, draft } = props
  if (draft.misfit !== undefined) return <JsonControl {...props} />
  if (!spec.nullable) return <PlainControl {...props} />
  return (
    <span className={styles.withNull}>
      {draft.presence === 'null' ? <NullField /> : <PlainControl {...props} />}
      <NullBox {...props} />
    </span>
  )
}

/** Stands where the control was while the field is `null`. */
export function NullField() {
  return (
    <span className={classes(styles.field, styles.null, 'mono')}>
      {workbenchFormFieldsText.scalarControl.null}
    </span>
  )
}

/** The box that makes a nullable field `null`. */
export function NullBox({ draft, path, label }: Pick<ControlProps, 'draft' | 'path' | 'label'>) {
  const { edit } = useForm()
  return (
    <span className={styles.nullBox}>
      <Checkbox
        aria-label={workbenchFormFieldsText.scalarControl.isNull(label)}
        checked={draft.presence === 'null'}
        onCheckedChange={(isNull) => edit(path, setNull(isNull))}
      />
      <span aria-hidden="true">{workbenchFormFieldsText.scalarControl.null}</span>
    </span>
  )
}

function PlainControl(props: ControlProps) {
  switch (props.spec.shape.type) {
    case 'string':
      return <TextControl {...props} />
    case 'number':
      return <NumberControl {...props} />
    case 'boolean':
      return <BooleanControl {...props} />
    case 'const':
      return <ConstControl {...props} />
    case 'enum':
      return <EnumControl {...props} />
    case 'choices':
      return <ChoicesControl {...props} />
    default:
      return <JsonControl {...props} />
  }
}
