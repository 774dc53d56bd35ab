import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Bar } from '../controls/bar.tsx'
import { Button } from '../controls/button.tsx'
import { Icon } from '../controls/icon.tsx'
import { backTo, switchOnScript } from './registry-actions.ts'
import { openPage } from './registry-view.ts'
import styles from './registry.module.css'
import { useScript } from './use-registry.ts'
import { registryText } from './text.ts'

/** Shown above a script whose newest revision is not active: the active revision and the next actions. */
export function RevisionBar({ file }: { file: string }) {
  const script = useScript(file)
  if (script === undefined || (script.state !== 'broken' && script.state !== 'stopped')) return null
  const { revision, answering, state, error } = script
  const isStopped = state === 'stopped'
  return (
    <Bar
      end={
        isStopped ? (
          <Button icon="restart" onClick={() => void switchOnScript(file)}>
            {registryText.revisionBar.switchOnAgain}
          </Button>
        ) : (
          answering !== undefined &&
          answering !== revision && (
            <>
              <Button
                icon="diff"
                aria-label={registryText.revisionBar.toCompareRevisions(answering, revision)}
                onClick={() => openPage({ kind: 'compare', file, from: answering, to: revision })}
              >
                {answering} {registryText.revisionBar.to} {revision}
              </Button>
              <Button icon="undo" onClick={() => void backTo(file, answering)}>
                {registryText.revisionBar.backTo} {answering}
              </Button>
            </>
          )
        )
      }
    >
      <span className={styles.bad} role="status">
        <Icon name="st-fail" />
        {isStopped
          ? registryText.revisionBar.switchedOffAfterCrashes
          : registryText.revisionBar.revisionNotLoaded(revision)}
      </span>
      <span className="small t2 clip" title={error === undefined ? undefined : visibleText(error.message)}>
        {isStopped
          ? registryText.revisionBar.notServed
          : answering === undefined
            ? registryText.revisionBar.notServedYet
            : registryText.revisionBar.olderRevisionActive(answering)}
      </span>
    </Bar>
  )
}
