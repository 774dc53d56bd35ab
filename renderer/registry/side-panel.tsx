import type { RegistryState } from '../../server-core/host/contract/registry.ts'
import { ClientsSection } from './clients-section.tsx'
import styles from './side.module.css'
import { TrySection } from './try-section.tsx'
import { useSelectedEntry } from './use-registry.ts'

/** What is done with an entry in place: it is tried, and seen who is connected and calls it. */
export function SidePanel({ state }: { state: RegistryState }) {
  const entry = useSelectedEntry()
  return (
    <div className={styles.side}>
      <TrySection key={entry?.key ?? ''} entry={entry} />
      <ClientsSection clients={state.clients} entry={entry} />
    </div>
  )
}
