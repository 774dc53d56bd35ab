import { Button } from '../../../controls/button.tsx'
import { classes } from '../../../controls/classes.ts'
import { IconButton } from '../../../controls/icon-button.tsx'
import { SafeText } from '../../../text/safe-text.tsx'
import { addPair, removePair, stepTo, typeKey } from '../draft-edits.ts'
import type { Draft, PairDraft } from '../draft.ts'
import { isScalar, type Property } from '../field-spec.ts'
import { useForm } from '../form-context.ts'
import { newDraft } from '../new-draft.ts'
import { pointerStep } from '../../../../server-core/protocol/json-pointer.ts'
import type { FieldProps } from './field-props.ts'
import styles from './fields.module.css'
import { ItemControl } from './item-control.tsx'
import { Nest } from './nest.tsx'
import { workbenchFormFieldsText } from './text.ts'

interface ObjectMembersProps extends FieldProps {
  /** A variant is told apart by its constants; its name says them already. */
  hidesConstants?: boolean
}

/** The fields of an object: its properties, then the pairs of key and value it has beside them. */
export function ObjectMembers({ hidesConstants = false, ...props }: ObjectMembersProps) {
  const { Field } = useForm()
  const { spec, draft, path, pointer } = props
  if (spec.shape.type !== 'object' || draft.body.type !== 'object') return null
  const { properties, pairs } = spec.shape
  const members = draft.body.members
  const shown = hidesConstants ? properties.filter((property) => !isGiven(property, members)) : properties
  return (
    <>
      {shown.map((property) => (
        <Field
          key={property.name}
          spec={property.spec()}
          draft={members.get(property.name) ?? newDraft(property.spec(), property.required)}
          path={stepTo(path, 'm', property.name)}
          pointer={`${pointer}/${pointerStep(property.name)}`}
          label={property.name}
          required={property.required}
        />
      ))}
      {(pairs.type === 'offered' || draft.body.pairs.length > 0) && (
        <Pairs {...props} pairs={draft.body.pairs} />
      )}
    </>
  )
}

/** A required constant that has its value: choosing the variant has given it. */
function isGiven({ name, required, spec }: Property, members: ReadonlyMap<string, Draft>): boolean {
  const draft = members.get(name)
  return required && spec().shape.type === 'const' && draft?.presence === 'set' && draft.misfit === undefined
}

function Pairs(props: FieldProps & { pairs: readonly PairDraft[] }) {
  const { spec, path, label, pairs } = props
  const { edit } = useForm()
  if (spec.shape.type !== 'object') return null
  const offered = spec.shape.pairs
  const taken = new Set(spec.shape.properties.map(({ name }) => name))
  const rows = pairs.map((pair) => {
    const isTwin = pair.key !== undefined && taken.has(pair.key)
    if (pair.key !== undefined) taken.add(pair.key)
    return { pair, isTwin }
  })
  const twin = rows.find(({ isTwin }) => isTwin)?.pair.key
  return (
    <div
      className={styles.list}
      role="group"
      aria-label={
        label === ''
          ? workbenchFormFieldsText.objectMembers.furtherProperties
          : workbenchFormFieldsText.objectMembers.propertiesOf(label)
      }
    >
      {rows.map(({ pair, isTwin }) => (
        <PairRow key={pair.id} {...props} pair={pair} isTwin={isTwin} />
      ))}
      {twin !== undefined && (
        <p className={styles.wrong}>
          {workbenchFormFieldsText.objectMembers.property}
          <SafeText>{twin}</SafeText>
          {workbenchFormFieldsText.objectMembers.duplicateKey}
        </p>
      )}
      {offered.type === 'offered' && (
        <span className={styles.head}>
          <Button
            icon="plus"
            onClick={(event) => {
              edit(path, addPair)
              focusNewName(event.currentTarget)
            }}
          >
            {workbenchFormFieldsText.objectMembers.addProperty}
          </Button>
          {offered.reason !== undefined && <span className={styles.ref}>{offered.reason}</span>}
          {offered.reason === undefined && spec.shape.properties.length === 0 && pairs.length === 0 && (
            <span className={styles.ref}>{workbenchFormFieldsText.objectMembers.noProperties}</span>
          )}
        </span>
      )}
    </div>
  )
}

function PairRow({
  spec,
  path,
  pointer,
  label,
  pair,
  isTwin,
}: FieldProps & { pair: PairDraft; isTwin: boolean }) {
  const { edit, Field } = useForm()
  if (spec.shape.type !== 'object') return null
  const valueSpec = spec.shape.pairs.spec()
  const name = pair.key ?? ''
  const value = {
    spec: valueSpec,
    draft: pair.draft,
    path: stepTo(path, 'p', pair.id),
    pointer: `${pointer}/${pointerStep(name)}`,
    label:
      name === ''
        ? workbenchFormFieldsText.objectMembers.value
        : workbenchFormFieldsText.objectMembers.valueOf(name),
    required: true,
  }
  const inline = isScalar(valueSpec) || pair.draft.misfit !== undefined
  return (
    <div className={inline ? styles.pair : styles.pairGroup}>
      <span className={classes(styles.field, isTwin && styles.invalid)}>
        <input
          className="mono"
          aria-label={`name ${name}`.trim()}
          placeholder={workbenchFormFieldsText.objectMembers.name}
          spellCheck={false}
          autoComplete="off"
          value={name}
          {...(isTwin ? { 'aria-invalid': true } : {})}
          onChange={(event) => edit(path, typeKey(pair.id, event.currentTarget.value))}
        />
      </span>
      {inline && <ItemControl {...value} />}
      <IconButton
        icon="close"
        label={workbenchFormFieldsText.objectMembers.remove(name === '' ? `property of ${label}` : name)}
        onClick={() => edit(path, removePair(pair.id))}
      />
      {!inline && (
        <Nest>
          <Field {...value} />
        </Nest>
      )}
    </div>
  )
}

/** The name of a new property is typed next, so it gets the focus once it is rendered. */
function focusNewName(button: HTMLElement): void {
  requestAnimationFrame(() => {
    const row = button.parentElement?.previousElementSibling
    row?.querySelector<HTMLElement>('input')?.focus()
  })
}
