import { createContext, useContext, type CSSProperties, type ReactNode } from 'react'
import styles from './fields.module.css'

const Depth = createContext(0)

/** The widths a nested field's label has, so that all controls of a form begin at one line. */
const LABEL = 104
const INDENT = 17
const LEAST = 48

/** Fields that belong to another, on a line at the left. */
export function Nest({ children }: { children: ReactNode }) {
  const depth = useContext(Depth) + 1
  const width = Math.max(LEAST, LABEL - depth * INDENT)
  return (
    <Depth value={depth}>
      <div className={styles.nest} style={{ '--label': `${String(width)}px` } as CSSProperties}>
        {children}
      </div>
    </Depth>
  )
}
