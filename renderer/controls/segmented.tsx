import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { Icon, type IconName } from './icon.tsx'
import styles from './toggles.module.css'

export interface Choice<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly icon?: IconName | undefined
}

interface ChoiceProps<Value extends string> {
  /** Its accessible name. */
  label: string
  options: readonly Choice<Value>[]
  value: Value
  onValueChange: (value: Value) => void
}

/** A few values side by side, one of them chosen. For four or more use `Select`. */
export function Segmented<Value extends string>({
  label,
  options,
  value,
  onValueChange,
}: ChoiceProps<Value>) {
  return (
    <RadioGroup
      aria-label={label}
      className={styles.segmented}
      value={value}
      onValueChange={(next) => onValueChange(next)}
    >
      {options.map((option) => (
        <Radio.Root
          key={option.value}
          value={option.value}
          nativeButton
          render={<button type="button" />}
          className={styles.segment}
        >
          {option.icon !== undefined && <Icon name={option.icon} />}
          {option.label}
        </Radio.Root>
      ))}
    </RadioGroup>
  )
}

/** One of several values, drawn as round boxes. */
export function Radios<Value extends string>({ label, options, value, onValueChange }: ChoiceProps<Value>) {
  return (
    <RadioGroup
      aria-label={label}
      className={styles.options}
      value={value}
      onValueChange={(next) => onValueChange(next)}
    >
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <Radio.Root value={option.value} className={styles.radio} />
          {option.label}
        </label>
      ))}
    </RadioGroup>
  )
}
