import { Button, LinkButton } from '../../../controls/button.tsx'
import { Segmented } from '../../../controls/segmented.tsx'
import { Select } from '../../../controls/select.tsx'
import { visibleText } from '../../../../server-core/protocol/visible-text.ts'
import { chooseVariant, includeWithItem, leaveOut, stepTo } from '../draft-edits.ts'
import { useForm } from '../form-context.ts'
import { newDraft } from '../new-draft.ts'
import type { FieldProps } from './field-props.ts'
import styles from './fields.module.css'
import { ListItems } from './list-items.tsx'
import { Nest } from './nest.tsx'
import { ObjectMembers } from './object-members.tsx'
import { Row } from './row.tsx'
import { NullBox, NullField } from './scalar-control.tsx'
import { workbenchFormFieldsText } from './text.ts'

/** The variants that stand side by side; more are a list to open. */
const MAX_SEGMENTS = 3

/** A field that holds fields: its own line, and its fields below on a line at the left. */
export function GroupField(props: FieldProps) {
  const isSet = props.draft.presence === 'set'
  return (
    <Row
      {...props}
      isGroup
      note={groupNote(props)}
      control={() => <GroupHead {...props} />}
      below={
        isSet &&
        hasFields(props) && (
          <Nest>
            <GroupFields {...props} />
          </Nest>
        )
      }
    />
  )
}

function hasFields({ spec, draft }: FieldProps): boolean {
  if (draft.body.type === 'object') {
    return (
      (spec.shape.type === 'object' && spec.shape.properties.length > 0) ||
      draft.body.pairs.length > 0 ||
      isOffered(spec)
    )
  }
  return true
}

function isOffered(spec: FieldProps['spec']): boolean {
  return spec.shape.type === 'object' && spec.shape.pairs.type === 'offered'
}

function groupNote({ spec, draft }: FieldProps): string {
  const shape = spec.shape
  if (
    shape.type === 'variants' &&
    draft.presence === 'set' &&
    draft.body.type === 'variant' &&
    shape.keyword !== 'type'
  ) {
    return `${shape.keyword} ${String(draft.body.chosen + 1)} of ${String(shape.variants.length)}`
  }
  return spec.note
}

/** The controls beside the label of a group: add it, leave it out, choose its variant. */
function GroupHead(props: FieldProps) {
  const { spec, draft, path, required, label } = props
  const { edit } = useForm()
  if (draft.presence === 'null') {
    return (
      <span className={styles.withNull}>
        <NullField />
        <NullBox {...props} />
      </span>
    )
  }
  if (draft.presence === 'left-out') {
    return (
      <span className={styles.head}>
        <Button
          icon="plus"
          aria-label={workbenchFormFieldsText.groupField.add(label)}
          onClick={(event) => {
            edit(path, includeWithItem)
            focusWithinWhenThere(event.currentTarget)
          }}
        >
          {visibleText(label)}
        </Button>
        {spec.ref !== undefined && (
          <span className={styles.ref}>
            {workbenchFormFieldsText.groupField.ref} {visibleText(spec.ref)}
          </span>
        )}
        {spec.nullable && <NullBox {...props} />}
      </span>
    )
  }
  return (
    <span className={styles.head}>
      {spec.shape.type === 'variants' && <VariantPicker {...props} />}
      {!required && (
        <LinkButton
          onClick={() => edit(path, leaveOut)}
          aria-label={workbenchFormFieldsText.groupField.omit(label)}
        >
          {workbenchFormFieldsText.groupField.omitWord}
        </LinkButton>
      )}
      {spec.nullable && <NullBox {...props} />}
    </span>
  )
}

function VariantPicker({ spec, draft, path, label }: FieldProps) {
  const { edit } = useForm()
  if (spec.shape.type !== 'variants' || draft.body.type !== 'variant') return null
  const options = spec.shape.variants.map((variant, index) => ({
    value: String(index),
    label: visibleText(variant.label),
  }))
  const value = String(draft.body.chosen)
  const pick = (chosen: string): void => edit(path, chooseVariant(Number(chosen)))
  if (options.length <= MAX_SEGMENTS) {
    return (
      <Segmented
        label={workbenchFormFieldsText.groupField.variantOf(label)}
        options={options}
        value={value}
        onValueChange={pick}
      />
    )
  }
  return (
    <Select
      label={workbenchFormFieldsText.groupField.variantOf(label)}
      options={options}
      value={value}
      onValueChange={pick}
    />
  )
}

function GroupFields(props: FieldProps) {
  switch (props.spec.shape.type) {
    case 'object':
      return <ObjectMembers {...props} />
    case 'array':
    case 'tuple':
      return <ListItems {...props} />
    default:
      return <VariantFields {...props} />
  }
}

/** The fields of the chosen variant: of an object its members, else one field for the value. */
function VariantFields({ spec, draft, path, pointer }: FieldProps) {
  const { Field } = useForm()
  if (spec.shape.type !== 'variants' || draft.body.type !== 'variant') return null
  const chosen = draft.body.chosen
  const variant = spec.shape.variants[chosen]
  if (variant === undefined) return null
  const variantSpec = variant.spec()
  const variantDraft = draft.body.drafts.get(chosen) ?? newDraft(variantSpec, true)
  const inner = {
    spec: variantSpec,
    draft: variantDraft,
    path: stepTo(path, 'v', chosen),
    pointer,
    label: variant.label,
    required: true,
  }
  const isObject = variantSpec.shape.type === 'object' && variantDraft.misfit === undefined
  return isObject && variantDraft.presence === 'set' ? (
    <ObjectMembers {...inner} hidesConstants />
  ) : (
    <Field {...inner} />
  )
}

/** The button that adds a group goes away: the focus moves on to the first field of the group. */
function focusWithinWhenThere(button: HTMLElement): void {
  const row = button.closest('[data-pointer]')
  requestAnimationFrame(() => {
    row?.nextElementSibling?.querySelector<HTMLElement>('textarea, input, button')?.focus()
  })
}
