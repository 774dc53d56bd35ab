import { Checkbox } from '../../../controls/checkbox.tsx'
import { LinkButton } from '../../../controls/button.tsx'
import { Radios } from '../../../controls/segmented.tsx'
import { Select } from '../../../controls/select.tsx'
import { visibleText } from '../../../../server-core/protocol/visible-text.ts'
import { choose, include, leaveOut, setBoolean, tick, type Change } from '../draft-edits.ts'
import { useForm } from '../form-context.ts'
import { optionLabel } from '../schema-options.ts'
import type { ControlProps } from './field-props.ts'
import styles from './fields.module.css'
import { workbenchFormFieldsText } from './text.ts'

const LEFT_OUT = 'left-out'

/** Options that fit on a line are all shown; more are a list to open. */
const MAX_RADIOS = 5
const MAX_RADIO_LETTERS = 44

type Choice = { readonly value: string; readonly label: string; readonly change: Change }

/** One of several values, or none where the field may be left out. */
function OneOf({
  choices,
  chosen,
  ...props
}: ControlProps & { choices: readonly Choice[]; chosen: string | null }) {
  const { edit } = useForm()
  const all = props.required
    ? choices
    : [...choices, { value: LEFT_OUT, label: workbenchFormFieldsText.choiceControls.omit, change: leaveOut }]
  const pick = (value: string): void => {
    const choice = all.find((candidate) => candidate.value === value)
    if (choice !== undefined) edit(props.path, choice.change)
  }
  const letters = all.reduce((sum, choice) => sum + choice.label.length + 3, 0)
  if (all.length <= MAX_RADIOS && letters <= MAX_RADIO_LETTERS) {
    return <Radios label={props.label} options={all} value={chosen ?? ''} onValueChange={pick} />
  }
  return (
    <Select
      id={props.id}
      label={props.label}
      options={all}
      value={chosen}
      onValueChange={pick}
      invalid={props.invalid}
    />
  )
}

/** One of the schema's options; draws nothing for a field of another shape. */
export function EnumControl(props: ControlProps) {
  const { spec, draft } = props
  if (spec.shape.type !== 'enum') return null
  const choices = spec.shape.options.map((option, index) => ({
    value: String(index),
    label: visibleText(option.label),
    change: choose(index),
  }))
  const index = draft.presence === 'set' && draft.body.type === 'option' ? draft.body.index : undefined
  return (
    <OneOf
      {...props}
      choices={choices}
      chosen={chosenValue(props, index === undefined ? null : String(index))}
    />
  )
}

/** True or false, and left out where the field may be: three states, which a box could not show. */
export function BooleanControl(props: ControlProps) {
  const choices = [
    { value: 'true', label: workbenchFormFieldsText.choiceControls.true, change: setBoolean(true) },
    { value: 'false', label: workbenchFormFieldsText.choiceControls.false, change: setBoolean(false) },
  ]
  const { draft } = props
  const chosen = draft.presence === 'set' && draft.body.type === 'boolean' ? String(draft.body.value) : null
  return <OneOf {...props} choices={choices} chosen={chosenValue(props, chosen)} />
}

/** The one value that the schema allows: fixed where it is required, else in or left out. */
export function ConstControl(props: ControlProps) {
  const { spec, draft } = props
  if (spec.shape.type !== 'const') return null
  const label = visibleText(optionLabel(spec.shape.value))
  if (props.required && draft.presence === 'set') return <span className={styles.constant}>{label}</span>
  const choices = [{ value: 'it', label, change: include }]
  return (
    <OneOf {...props} choices={choices} chosen={draft.presence === 'set' ? 'it' : chosenValue(props, null)} />
  )
}

function chosenValue({ draft, required }: ControlProps, chosen: string | null): string | null {
  return draft.presence === 'left-out' && !required ? LEFT_OUT : chosen
}

/** An array of enum: every option with a box. */
export function ChoicesControl({ spec, draft, path, required, label }: ControlProps) {
  const { edit } = useForm()
  if (spec.shape.type !== 'choices') return null
  const isSet = draft.presence === 'set'
  const chosen = isSet && draft.body.type === 'choices' ? draft.body.chosen : []
  return (
    <span className={styles.options} role="group" aria-label={label}>
      {spec.shape.options.map((option, index) => (
        <Checkbox
          key={index}
          checked={chosen.includes(index)}
          onCheckedChange={(ticked) => edit(path, tick(index, ticked))}
        >
          {visibleText(option.label)}
        </Checkbox>
      ))}
      {isSet && chosen.length === 0 && !required && (
        <LinkButton
          onClick={() => edit(path, leaveOut)}
          aria-label={workbenchFormFieldsText.choiceControls.omitLabel(label)}
        >
          {workbenchFormFieldsText.choiceControls.omit}
        </LinkButton>
      )}
    </span>
  )
}
