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
import { registryText } from './text.ts'

/** The saves of a script: whether each loaded, what changed for clients, and breaking changes. */
export function Reloads({ script }: { script: Script | undefined }) {
  const revisions = useRevisions(script)
  if (script === undefined) return <p className={styles.note}>{registryText.reloads.emptyState}</p>
  if (revisions === undefined) return null
  return (
    <ul className="scroll" aria-label={registryText.reloads.reloadsOf(visibleText(script.file))} tabIndex={0}>
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
        <span>
          {registryText.reloads.rev} {number}
        </span>
        <span className="clip">
          {state === 'broken' ? (
            <span className="is-error">
              {registryText.reloads.notLoaded}{' '}
              <SafeText>{error?.message ?? registryText.reloads.noReasonGiven}</SafeText>
            </span>
          ) : (
            <>
              {before === undefined
                ? registryText.reloads.loadedFirst
                : changedWhatClientsSee
                  ? registryText.reloads.loadedListChangedSent
                  : registryText.reloads.loadedNoChangeClients}
              {answers && <span className="is-ok"> {registryText.reloads.active}</span>}
            </>
          )}
        </span>
        <span className={styles.acts}>
          {before !== undefined && (
            <LinkButton
              aria-label={registryText.reloads.toCompareRevisions(before.revision, number)}
              onClick={() => openPage({ kind: 'compare', file, from: before.revision, to: number })}
            >
              {before.revision} {registryText.reloads.to} {number}
            </LinkButton>
          )}
          {number !== script.revision && state === 'loaded' && (
            <LinkButton onClick={() => void backTo(file, number)}>
              {registryText.reloads.backTo} {number}
            </LinkButton>
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
