import { useMemo } from 'react'
import { IconButton } from '../controls/icon-button.tsx'
import { useSelected } from '../state/observable.ts'
import { SafeText } from '../text/safe-text.tsx'
import styles from './declaration.module.css'
import { forgetLists, listChange, listsBefore, type ReadLists } from './list-change.ts'
import { declarationText } from './text.ts'

/** Once something else is declared: what the lists gained and lost by it, until it was read. */
export function ListChangeStrip({ serverId, lists, readAt }: ReadLists & { serverId: string }) {
  const before = useSelected(listsBefore, (all) => all.get(serverId))
  const change = useMemo(
    // Until they were read again they say nothing of what was declared.
    () => (before === undefined || before.readAt === readAt ? undefined : listChange(before.lists, lists)),
    [before, lists, readAt],
  )
  if (change === undefined) return null
  const { gained, lost } = change
  return (
    <section className={styles.strip} aria-label={declarationText.listChangeStrip.listChanges} role="status">
      <div className={styles.stripHead}>
        <span>{declarationText.listChangeStrip.sinceTheDeclarationChanged}</span>
        <IconButton
          tight
          icon="close"
          label={declarationText.listChangeStrip.dismiss}
          onClick={() => forgetLists(serverId)}
        />
      </div>
      {gained.length + lost.length === 0 && <p>{declarationText.listChangeStrip.listsUnchanged}</p>}
      <Names sign="+" word="Gained" names={gained} tone="is-ok" />
      <Names sign="−" word="Lost" names={lost} tone="is-warn" />
    </section>
  )
}

interface NamesProps {
  sign: string
  word: string
  names: readonly string[]
  tone: 'is-ok' | 'is-warn'
}

function Names({ sign, word, names, tone }: NamesProps) {
  if (names.length === 0) return null
  return (
    <ul className={styles.names} aria-label={word}>
      {names.map((name) => (
        <li key={name}>
          <span className={tone} aria-hidden="true">
            {sign}
          </span>
          <SafeText>{name}</SafeText>
        </li>
      ))}
    </ul>
  )
}
