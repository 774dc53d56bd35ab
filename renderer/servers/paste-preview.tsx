import type { Paste } from '../../server-core/host/contract/servers.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Checkbox } from '../controls/checkbox.tsx'
import { classes } from '../controls/classes.ts'
import { Icon } from '../controls/icon.tsx'
import { SafeText } from '../text/safe-text.tsx'
import { DraftFacts } from './draft-facts.tsx'
import styles from './forms.module.css'
import { serversText } from './text.ts'

interface PastePreviewProps {
  paste: Paste
  /** Indexes of the drafts that are not selected. */
  unwanted: ReadonlySet<number>
  onWantedChange: (place: number, wanted: boolean) => void
}

/** What was recognised in a paste, whole, and the rest, with the reason. */
export function PastePreview({ paste, unwanted, onWantedChange }: PastePreviewProps) {
  return (
    <div
      className={classes(styles.preview, styles.scroll)}
      role="group"
      aria-label={serversText.pastePreview.serversFound}
    >
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
        <p key={place} className="warn-note">
          <Icon name="warn" />
          <span>
            <SafeText>{`${problem.name}: ${problem.reason}`}</SafeText>
          </span>
        </p>
      ))}
    </div>
  )
}
