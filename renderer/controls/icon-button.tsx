import type { ComponentPropsWithRef } from 'react'
import styles from './button.module.css'
import { classes } from './classes.ts'
import { Icon, type IconName } from './icon.tsx'
import { Tooltip } from './tooltip.tsx'

interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'children'> {
  /** What it does: its accessible name and its tooltip. */
  label: string
  icon: IconName
  keys?: string | undefined
  pressed?: boolean | undefined
  /** 20 px instead of 24. */
  tight?: boolean | undefined
}

/** A button with an icon only. `pressed` makes it a toggle; `keys` is shown in its tooltip. */
export function IconButton({
  label,
  icon,
  keys,
  pressed,
  tight = false,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip content={label} keys={keys}>
      <button
        type="button"
        aria-label={label}
        {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
        className={classes(styles.icon, tight && styles.tight, className)}
        {...rest}
      >
        <Icon name={icon} />
      </button>
    </Tooltip>
  )
}
