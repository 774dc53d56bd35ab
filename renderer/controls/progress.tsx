import { Progress as Base } from '@base-ui/react/progress'
import styles from './progress.module.css'

interface ProgressProps {
  label: string
  value: number
  /** Without it the end is not known. */
  total?: number | undefined
}

/** How far something is. */
export function Progress({ label, value, total }: ProgressProps) {
  return (
    <Base.Root
      aria-label={label}
      value={total === undefined ? null : value}
      max={total ?? 100}
      className={styles.root}
    >
      <Base.Track className={styles.track}>
        <Base.Indicator className={styles.indicator} />
      </Base.Track>
    </Base.Root>
  )
}
