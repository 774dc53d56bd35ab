import type { ComponentPropsWithRef, ReactNode } from 'react'
import styles from './button.module.css'
import { classes } from './classes.ts'
import { Icon, type IconName } from './icon.tsx'
import { Kbd } from './kbd.tsx'

interface ButtonProps extends ComponentPropsWithRef<'button'> {
  /** One `primary` per panel; `quiet` has no edge; `danger` destroys. */
  tone?: 'normal' | 'primary' | 'quiet' | 'danger'
  icon?: IconName | undefined
  /** The key that does the same, shown at the end, e.g. `mod+enter`. */
  keys?: string | undefined
  children: ReactNode
}

/** A button with a text; `keys` is the shortcut shown behind it, which the caller makes work. No submit button unless told. */
export function Button({ tone = 'normal', icon, keys, children, className, ...rest }: ButtonProps) {
  return (
    <button type="button" className={classes(styles.button, styles[tone], className)} {...rest}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
      {keys !== undefined && (
        <span aria-hidden="true">
          <Kbd keys={keys} />
        </span>
      )}
    </button>
  )
}

/** A button that looks like a link: for a small action beside text. */
export function LinkButton({ className, ...rest }: ComponentPropsWithRef<'button'>) {
  return <button type="button" className={classes(styles.link, className)} {...rest} />
}

interface ChipProps extends ComponentPropsWithRef<'button'> {
  pressed: boolean
}

/** A small switch in a bar. */
export function Chip({ pressed, className, ...rest }: ChipProps) {
  return <button type="button" aria-pressed={pressed} className={classes(styles.chip, className)} {...rest} />
}
