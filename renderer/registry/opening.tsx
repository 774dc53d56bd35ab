import { EmptyState } from '../controls/empty-state.tsx'
import { Progress } from '../controls/progress.tsx'
import { useSlow } from '../controls/use-slow.ts'
import styles from './registry.module.css'
import { registryText } from './text.ts'

/** What a panel shows while a workspace opens, which takes as long as its scripts and the servers it passes on. */
export function Opening({ name }: { name: string }) {
  return useSlow() ? (
    <EmptyState title={registryText.opening.opening(name)}>
      <Sign />
    </EmptyState>
  ) : null
}

/** The same below what was pressed for it. */
export function OpeningNote() {
  return useSlow() ? <Sign /> : null
}

function Sign() {
  return (
    <div className={styles.opening} role="status">
      <Progress label={registryText.opening.openingWorkspace} value={0} />
      {registryText.opening.loadingDetail}
    </div>
  )
}
