import type { ReactNode } from 'react'
import styles from './bar.module.css'
import { classes } from './classes.ts'

interface BarProps {
  className?: string | undefined
  children: ReactNode
  /** At the right end; never shrinks. */
  end?: ReactNode
}

/** The 32 px bar at the top of a panel; an `h2` in it is the panel's title. */
export function Bar({ className, children, end }: BarProps) {
  return (
    <div className={classes(styles.bar, className)}>
      {children}
      {end !== undefined && <div className={styles.end}>{end}</div>}
    </div>
  )
}
