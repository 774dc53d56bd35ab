import { useId, type ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './field.module.css'

interface FormRowProps {
  label: string
  required?: boolean
  note?: ReactNode
  error?: string | undefined
  /** Gets what ties the control to its label and to its note or error. */
  children: (control: { id: string; 'aria-describedby'?: string; 'aria-required'?: boolean }) => ReactNode
}

/** A label, its control, and below the control a note or the reason why it is invalid. */
export function FormRow({ label, required = false, note, error, children }: FormRowProps) {
  const id = useId()
  const below = error ?? note
  return (
    <div className={styles.row}>
      <label htmlFor={id} className={classes(required && styles.required)}>
        {label}
      </label>
      <div>
        {children({
          id,
          ...(below === undefined ? {} : { 'aria-describedby': `${id}-below` }),
          ...(required ? { 'aria-required': true } : {}),
        })}
        {below !== undefined && (
          <div id={`${id}-below`} className={error === undefined ? styles.note : styles.error}>
            {below}
          </div>
        )}
      </div>
    </div>
  )
}
