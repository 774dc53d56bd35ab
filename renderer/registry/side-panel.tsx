import { useMemo } from 'react'
import type { RegistryState } from '../../server-core/host/contract/registry.ts'
import { FaultsPanel } from '../faults/faults-panel.tsx'
import { ClientsSection } from './clients-section.tsx'
import styles from './side.module.css'
import { TrySection } from './try-section.tsx'
import { useSelectedEntry } from './use-registry.ts'

/** The right column: a form that calls an entry, connected clients, and faults. */
export function SidePanel({ state }: { state: RegistryState }) {
  const entry = useSelectedEntry()
  const tools = useMemo(
    () => state.entries.filter(({ kind }) => kind === 'tool').map(({ shownName }) => shownName),
    [state.entries],
  )
  return (
    <div className={styles.side}>
      <TrySection key={entry?.key ?? ''} entry={entry} />
      <ClientsSection clients={state.clients} entry={entry} />
      <FaultsPanel tools={tools} />
    </div>
  )
}
