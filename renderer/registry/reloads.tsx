import type { Script, ScriptRevision } from '../../server-core/host/contract/registry.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { LinkButton } from '../controls/button.tsx'
import { SafeText } from '../text/safe-text.tsx'
import styles from './below.module.css'
import { backTo } from './registry-actions.ts'
import { openPage } from './registry-view.ts'
import { SchemaChanges } from './schema-changes.tsx'
import { useRevisions } from './use-revisions.ts'
import { timeText } from '../text/times.ts'

/** The saves of a script: whether each loaded, what changed for clients, and breaking changes. */
export function Reloads({ script }: { script: Script | undefined }) {
  const revisions = useRevisions(script)
  if (script === undefined) return <p className={styles.note}>Open a script to see what its saves changed.</p>
  if (revisions === undefined) return null
  return (
    <ul className="scroll" aria-label={`Reloads of ${visibleText(script.file)}`} tabIndex={0}>
      {revisions.map((revision, place) => (
        <Reload
          key={revision.revision}
          script={script}
          revision={revision}
          before={revisions.slice(place + 1).find(({ state }) => state === 'loaded')}
        />
      ))}
    </ul>
  )
}

interface ReloadProps {
  script: Script
  revision: ScriptRevision
  /** The previously loaded revision. */
  before: ScriptRevision | undefined
}

function Reload({ script, revision, before }: ReloadProps) {
  const { revision: number, state, error, answers, changedWhatClientsSee } = revision
  const { file } = script
  return (
    <li className={styles.reload}>
      <div className={styles.reloadHead}>
        <span>{timeText(revision.at)}</span>
        <span>rev {number}</span>
        <span className="clip">
          {state === 'broken' ? (
            <span className="is-error">
              not loaded: <SafeText>{error?.message ?? 'no reason given'}</SafeText>
            </span>
          ) : (
            <>
              {before === undefined
                ? 'loaded first'
                : changedWhatClientsSee
                  ? 'loaded; list_changed sent'
                  : 'loaded, nothing that clients see changed'}
              {answers && <span className="is-ok"> · answers now</span>}
            </>
          )}
        </span>
        <span className={styles.acts}>
          {before !== undefined && (
            <LinkButton
              aria-label={`${before.revision} to ${number}: compare these revisions`}
              onClick={() => openPage({ kind: 'compare', file, from: before.revision, to: number })}
            >
              {before.revision} to {number}
            </LinkButton>
          )}
          {number !== script.revision && state === 'loaded' && (
            <LinkButton onClick={() => void backTo(file, number)}>Back to {number}</LinkButton>
          )}
        </span>
      </div>
      {changedWhatClientsSee && before !== undefined && (
        <ul className={styles.changes}>
          {script.entries.map((key) => (
            <SchemaChanges key={key} entryKey={key} from={before.revision} to={number} />
          ))}
        </ul>
      )}
    </li>
  )
}
