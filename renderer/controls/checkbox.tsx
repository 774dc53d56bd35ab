import { Checkbox as Base } from '@base-ui/react/checkbox'
import { useId, type ReactNode } from 'react'
import { Icon } from './icon.tsx'
import styles from './toggles.module.css'

interface CheckboxProps {
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  /** Shown beside the box. Give `aria-label` instead where the text stands elsewhere. */
  children?: ReactNode
  'aria-label'?: string | undefined
  indeterminate?: boolean | undefined
  disabled?: boolean | undefined
}

/** A box to tick. `indeterminate` shows a dash whatever `checked` says. The state is the caller's. */
export function Checkbox({
  checked,
  onCheckedChange,
  children,
  indeterminate = false,
  ...rest
}: CheckboxProps) {
  const id = useId()
  const box = (
    <Base.Root
      className={styles.box}
      checked={checked}
      indeterminate={indeterminate}
      onCheckedChange={(next) => onCheckedChange(next)}
      {...(children === undefined ? {} : { 'aria-labelledby': id })}
      {...rest}
    >
      <Base.Indicator className={styles.indicator}>
        <Icon name={indeterminate ? 'minus' : 'check'} />
      </Base.Indicator>
    </Base.Root>
  )
  if (children === undefined) return box
  return (
    <label className={styles.option}>
      {box}
      <span id={id}>{children}</span>
    </label>
  )
}
