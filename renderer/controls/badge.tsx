import type { ReactNode } from 'react'
import styles from './badge.module.css'

/** A number that asks for attention. */
export function Badge({ children }: { children: ReactNode }) {
  return <span className={styles.badge}>{children}</span>
}
