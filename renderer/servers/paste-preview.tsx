import type { Paste, ServerDraft } from '../../server-core/host/contract/servers.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Checkbox } from '../controls/checkbox.tsx'
import { classes } from '../controls/classes.ts'
import { Icon } from '../controls/icon.tsx'
import { SafeText } from '../text/safe-text.tsx'
import styles from './forms.module.css'
import { transportName } from './server-look.ts'

interface PastePreviewProps {
  paste: Paste
  /** Places of drafts that are not wanted. */
  unwanted: ReadonlySet<number>
  onWantedChange: (place: number, wanted: boolean) => void
}

/** What was understood of a paste, whole, and what was not, with the reason. */
export function PastePreview({ paste, unwanted, onWantedChange }: PastePreviewProps) {
  return (
    <div className={classes(styles.preview, styles.scroll)} role="group" aria-label="What was understood">
      {paste.drafts.map((draft, place) => (
        <div key={place} className={styles.draft}>
          <Checkbox
            checked={!unwanted.has(place)}
            onCheckedChange={(wanted) => onWantedChange(place, wanted)}
          >
            {visibleText(draft.name)}
          </Checkbox>
          <DraftFacts draft={draft} />
        </div>
      ))}
      {paste.problems.map((problem, place) => (
        <p key={place} className={styles.problem}>
          <Icon name="warn" />
          <span>
            <SafeText>{`${problem.name}: ${problem.reason}`}</SafeText>
          </span>
        </p>
      ))}
    </div>
  )
}

function DraftFacts({ draft }: { draft: ServerDraft }) {
  const { target } = draft
  if (target.transport !== 'stdio') {
    return (
      <dl>
        <dt>URL</dt>
        <dd>
          <SafeText>{target.url}</SafeText>
        </dd>
        {target.transport !== 'auto' && <dt>transport</dt>}
        {target.transport !== 'auto' && <dd>{transportName(target)}</dd>}
        {target.headers.length > 0 && <dt>headers</dt>}
        {target.headers.length > 0 && (
          <dd>
            {target.headers.map((pair) => (
              <span key={pair.name}>
                <SafeText>{`${pair.name}: ${pair.value}`}</SafeText>
              </span>
            ))}
          </dd>
        )}
        {draft.bearerToken !== undefined && <dt>token</dt>}
        {draft.bearerToken !== undefined && <dd>a bearer token, kept with the secrets</dd>}
      </dl>
    )
  }
  return (
    <dl>
      <dt>command</dt>
      <dd>
        <SafeText>{target.command}</SafeText>
      </dd>
      {target.args.length > 0 && <dt>arguments</dt>}
      {target.args.length > 0 && (
        <dd>
          {target.args.map((argument, place) => (
            <span key={place}>
              <SafeText>{argument}</SafeText>
            </span>
          ))}
        </dd>
      )}
      {target.cwd !== undefined && <dt>folder</dt>}
      {target.cwd !== undefined && (
        <dd>
          <SafeText>{target.cwd}</SafeText>
        </dd>
      )}
      {target.env.length > 0 && <dt>environment</dt>}
      {target.env.length > 0 && (
        <dd>
          {target.env.map((pair) => (
            <span key={pair.name}>
              <SafeText>{`${pair.name}=${pair.value}`}</SafeText>
            </span>
          ))}
        </dd>
      )}
    </dl>
  )
}
