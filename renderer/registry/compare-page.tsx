import { lazy, Suspense } from 'react'
import { Bar } from '../controls/bar.tsx'
import { Button } from '../controls/button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { SafeText } from '../text/safe-text.tsx'
import { backTo } from './registry-actions.ts'
import styles from './registry.module.css'
import { SchemaChanges } from './schema-changes.tsx'
import { useRevisions } from './use-revisions.ts'
import { useScript } from './use-registry.ts'
import { registryText } from './text.ts'

/** Loaded with the editor, whose libraries it is made of. */
const TextDifference = lazy(() => import('./text-difference.tsx'))

interface ComparePageProps {
  file: string
  from: number
  to: number
}

/** Compares two revisions of a script: changes visible to clients, and the text side by side. */
export function ComparePage({ file, from, to }: ComparePageProps) {
  const script = useScript(file)
  const revisions = useRevisions(script)
  if (script === undefined || revisions === undefined) return null
  const before = revisions.find(({ revision }) => revision === from)
  const after = revisions.find(({ revision }) => revision === to)
  if (before === undefined || after === undefined) {
    return (
      <EmptyState title={registryText.comparePage.revisionDeleted}>
        {registryText.comparePage.revisionLimitNote} {before === undefined ? from : to}{' '}
        {registryText.comparePage.isOlder}
      </EmptyState>
    )
  }
  const isLoaded = before.state === 'loaded' && after.state === 'loaded'
  return (
    <div className={styles.whole}>
      <Bar
        end={
          before.state === 'loaded' &&
          !before.answers && (
            <Button icon="undo" onClick={() => void backTo(file, from)}>
              {registryText.comparePage.backTo} {from}
            </Button>
          )
        }
      >
        <h2 className="clip">
          <SafeText>{file}</SafeText>
        </h2>
        <span className="small t2">
          {registryText.comparePage.revision} {from} {registryText.comparePage.onTheLeft} {to}{' '}
          {registryText.comparePage.onTheRight}
        </span>
      </Bar>
      {isLoaded && (
        <ul className={styles.changes} aria-label={registryText.comparePage.changesVisibleToClients}>
          {script.entries.map((key) => (
            <SchemaChanges key={key} entryKey={key} from={from} to={to} />
          ))}
        </ul>
      )}
      <Suspense fallback={<div className={styles.whole} aria-busy="true" />}>
        <TextDifference
          key={`${from} ${to}`}
          before={before.text}
          after={after.text}
          label={registryText.comparePage.revisionAndOf(from, to, file)}
        />
      </Suspense>
    </div>
  )
}
