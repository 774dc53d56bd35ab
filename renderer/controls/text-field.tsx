import type { ComponentPropsWithRef, ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './field.module.css'
import { Icon, type IconName } from './icon.tsx'

interface TextFieldProps extends Omit<ComponentPropsWithRef<'input'>, 'onChange'> {
  /** Must be named: by `aria-label`, or by the label of a `FormRow` through `id`. */
  value: string
  onValueChange: (value: string) => void
  icon?: IconName | undefined
  mono?: boolean | undefined
  invalid?: boolean | undefined
  /** Supporting text or a button at the end. */
  trailing?: ReactNode
}

/** One line of text on a data surface. */
export function TextField(props: TextFieldProps) {
  const { value, onValueChange, icon, mono = false, invalid = false, trailing, className, ...rest } = props
  return (
    <span className={classes(styles.field, mono && styles.mono, invalid && styles.invalid, className)}>
      {icon !== undefined && <Icon name={icon} />}
      <input
        type="text"
        spellCheck={false}
        autoComplete="off"
        value={value}
        onChange={(event) => onValueChange(event.currentTarget.value)}
        {...(invalid ? { 'aria-invalid': true } : {})}
        {...rest}
      />
      {trailing}
    </span>
  )
}

interface TextAreaProps extends Omit<ComponentPropsWithRef<'textarea'>, 'onChange'> {
  value: string
  onValueChange: (value: string) => void
  mono?: boolean | undefined
  invalid?: boolean | undefined
}

/** Several lines of text, with the rules of `TextField`. */
export function TextArea(props: TextAreaProps) {
  const { value, onValueChange, mono = false, invalid = false, className, ...rest } = props
  return (
    <textarea
      spellCheck={false}
      value={value}
      onChange={(event) => onValueChange(event.currentTarget.value)}
      className={classes(styles.area, mono && styles.mono, invalid && styles.invalid, className)}
      {...(invalid ? { 'aria-invalid': true } : {})}
      {...rest}
    />
  )
}
