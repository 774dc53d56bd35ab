import type { Importable } from '../../server-core/host/contract/install.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Checkbox } from '../controls/checkbox.tsx'
import { Icon } from '../controls/icon.tsx'
import { DraftFacts } from '../servers/draft-facts.tsx'
import { SafeText } from '../text/safe-text.tsx'
import styles from './install.module.css'

/** Which server of which client is meant. */
export function importKey(client: string, name: string): string {
  return `${client}/${name}`
}

interface ImportListProps {
  clients: readonly Importable[]
  /** Keys of servers that are wanted. */
  wanted: ReadonlySet<string>
  onWantedChange: (key: string, wanted: boolean) => void
}

/** The servers that other clients have, whole, to choose from; those that are stored already are said to be. */
export function ImportList({ clients, wanted, onWantedChange }: ImportListProps) {
  return (
    <div className={styles.imports}>
      {clients.map((client) => (
        <section key={client.id} aria-label={client.title}>
          <h3>{client.title}</h3>
          <p className={styles.file}>
            <SafeText>{client.file}</SafeText>
          </p>
          {client.servers.map(({ name, draft, isThere }) => {
            const key = importKey(client.id, name)
            return (
              <div key={name} className={styles.server}>
                <Checkbox
                  checked={wanted.has(key)}
                  disabled={isThere}
                  onCheckedChange={(want) => onWantedChange(key, want)}
                >
                  {visibleText(name) + (isThere ? ' (already added)' : '')}
                </Checkbox>
                <DraftFacts draft={draft} />
              </div>
            )
          })}
          {client.problems.map((problem) => (
            <p key={`${problem.name}: ${problem.reason}`} className="warn-note">
              <Icon name="warn" />
              <SafeText>{`${problem.name}: ${problem.reason}`}</SafeText>
            </p>
          ))}
        </section>
      ))}
    </div>
  )
}
