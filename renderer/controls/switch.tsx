import { Switch as Base } from '@base-ui/react/switch'
import { useId, type ReactNode } from 'react'
import styles from './toggles.module.css'

interface SwitchProps {
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  children?: ReactNode
  'aria-label'?: string | undefined
  disabled?: boolean | undefined
  /** -1 where its row has the focus and a key of its own for it. */
  tabIndex?: number | undefined
}

/** Something that is on or off from now on. */
export function Switch({ checked, onCheckedChange, children, ...rest }: SwitchProps) {
  const id = useId()
  const control = (
    <Base.Root
      className={styles.switch}
      checked={checked}
      onCheckedChange={(next) => onCheckedChange(next)}
      {...(children === undefined ? {} : { 'aria-labelledby': id })}
      {...rest}
    >
      <Base.Thumb className={styles.thumb} />
    </Base.Root>
  )
  if (children === undefined) return control
  return (
    <label className={styles.option}>
      {control}
      <span id={id}>{children}</span>
    </label>
  )
}
