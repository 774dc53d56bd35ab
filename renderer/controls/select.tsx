import { Select as Base } from '@base-ui/react/select'
import { classes } from './classes.ts'
import fieldStyles from './field.module.css'
import { Icon } from './icon.tsx'
import styles from './menu.module.css'
import { controlsText } from './text.ts'

interface SelectProps<Value extends string> {
  /** Its accessible name. */
  label: string
  id?: string | undefined
  options: readonly { value: Value; label: string }[]
  /** `null` shows the placeholder. */
  value: Value | null
  onValueChange: (value: Value) => void
  placeholder?: string | undefined
  mono?: boolean | undefined
  invalid?: boolean | undefined
  disabled?: boolean | undefined
}

/** One of several values. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, id, options, value, onValueChange, placeholder = 'select…', disabled = false } = props
  const shown = options.find((option) => option.value === value)
  return (
    <Base.Root
      items={options}
      value={value}
      disabled={disabled}
      onValueChange={(next) => {
        if (next !== null) onValueChange(next)
      }}
    >
      <Base.Trigger
        id={id}
        aria-label={label}
        className={classes(
          fieldStyles.field,
          props.mono === true && fieldStyles.mono,
          props.invalid === true && fieldStyles.invalid,
        )}
      >
        <span className="grow clip">{shown === undefined ? placeholder : shown.label}</span>
        <Icon name="updown" />
      </Base.Trigger>
      <Base.Portal role="region" aria-label={controlsText.select.choicesOf(label)}>
        <Base.Positioner className={styles.positioner} alignItemWithTrigger={false} sideOffset={2}>
          <Base.Popup className={classes(styles.menu, styles.select)}>
            <Base.List>
              {options.map((option) => (
                <Base.Item key={option.value} value={option.value} className={styles.item}>
                  <span className={styles.tick}>
                    <Base.ItemIndicator render={<span />}>
                      <Icon name="check" />
                    </Base.ItemIndicator>
                  </span>
                  <Base.ItemText className={classes('clip', props.mono === true && 'mono')}>
                    {option.label}
                  </Base.ItemText>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
