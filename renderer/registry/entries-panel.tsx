import { useMemo, useState } from 'react'
import type { EntryKind, RegistryEntry, RegistryState } from '../../server-core/host/contract/registry.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Bar } from '../controls/bar.tsx'
import { Button } from '../controls/button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { FilteredPanel } from '../controls/filtered-panel.tsx'
import { Switch } from '../controls/switch.tsx'
import { useSwitched } from '../controls/use-switched.ts'
import { useObservable } from '../state/observable.ts'
import { counted, countText } from '../text/measures.ts'
import { EntriesGrid } from './entries-grid.tsx'
import styles from './entries.module.css'
import { EntryForm } from './entry-form.tsx'
import { readEntryFilter } from './entry-filter.ts'
import { rowsOf } from './entry-rows.ts'
import { NewMenu } from './new-menu.tsx'
import { openLine } from './open-line.ts'
import { Opening } from './opening.tsx'
import { setServing, switchEntry } from './registry-actions.ts'
import { editedKey, selectedKey } from './registry-view.ts'
import { useStableLines } from './use-stable-lines.ts'
import { useLines } from './use-registry.ts'
import { registryText } from './text.ts'

/** All entries of the server with switch, source and number of calls. */
export function EntriesPanel({ state }: { state: RegistryState }) {
  const { lines, ...hold } = useStableLines(useLines())
  const [filterText, setFilterText] = useState('')
  const [closed, setClosed] = useState<ReadonlySet<EntryKind>>(new Set())
  const selected = useObservable(selectedKey)
  const edited = useObservable(editedKey)
  const filter = useMemo(() => readEntryFilter(filterText), [filterText])
  const rows = useMemo(() => rowsOf(lines, filter, closed), [lines, filter, closed])
  const [serving, serve] = useSwitched('serving', state.serving, setServing)
  const served = serving
    ? lines.filter(({ entry, isOn }) => isOn && (entry?.state === 'served' || entry?.state === 'overridden'))
        .length
    : 0
  // An entry may be missing for a moment, as while its script loads; the typed text must survive that.
  const [found, setFound] = useState<RegistryEntry | undefined>(undefined)
  const listed = state.entries.find(({ key }) => key === edited)
  if (listed !== undefined && listed !== found) setFound(listed)
  const editedEntry = found?.key === edited ? found : undefined

  return (
    <>
      <Bar
        end={
          <>
            <Switch
              checked={serving}
              onCheckedChange={serve}
              aria-label={registryText.entriesPanel.serveEverything}
            />
            <span className={styles.serving} aria-hidden="true">
              {serving ? registryText.entriesPanel.serving : registryText.entriesPanel.notServing}
            </span>
            {state.trust === 'trusted' && <NewMenu />}
          </>
        }
      >
        <h2>{registryText.entriesPanel.registry}</h2>
        <span className="micro t3 clip">
          {counted(state.entries.length, 'entry', 'entries')}, {countText(served)}{' '}
          {registryText.entriesPanel.exposed}
        </span>
      </Bar>
      <FilteredPanel
        label={registryText.entriesPanel.filterEntries}
        placeholder={registryText.entriesPanel.filterPlaceholder}
        text={filterText}
        onTextChange={setFilterText}
        invalid={!filter.ok}
      >
        {!filter.ok && (
          <p className={styles.problem} role="status">
            {filter.reason}
          </p>
        )}
        {rows.length > 0 ? (
          <div className={styles.panel} {...hold}>
            <EntriesGrid
              rows={rows}
              selected={selected}
              onSelect={(line) => selectedKey.set(line.key)}
              onOpen={openLine}
              onEdit={(line) => editedKey.set(line.entry?.key)}
              onSwitch={(line, isOn) => {
                if (line.entry !== undefined) void switchEntry(line.entry, isOn)
              }}
              onGroupChange={(kind, isOpen) => {
                const next = new Set(closed)
                if (isOpen) next.delete(kind)
                else next.add(kind)
                setClosed(next)
              }}
            />
          </div>
        ) : lines.length > 0 ? (
          <EmptyState
            title={registryText.entriesPanel.noMatches}
            actions={
              <Button onClick={() => setFilterText('')}>{registryText.entriesPanel.clearFilter}</Button>
            }
          >
            <code>{filterText}</code> {registryText.entriesPanel.leavesNothingOf}{' '}
            {counted(lines.length, 'entry', 'entries')}.
          </EmptyState>
        ) : state.opening ? (
          <Opening name={visibleText(state.workspace.name)} />
        ) : state.trust === 'asked' ? (
          <EmptyState title={registryText.entriesPanel.nothingServedYet}>
            {registryText.entriesPanel.untrustedNote}
          </EmptyState>
        ) : (
          <EmptyState title={registryText.entriesPanel.noEntriesYet}>
            {registryText.entriesPanel.writeFirstTool} <b>+</b> {registryText.entriesPanel.savingNote}
          </EmptyState>
        )}
        {editedEntry !== undefined && (
          <EntryForm key={editedEntry.key} entry={editedEntry} onClose={() => editedKey.set(undefined)} />
        )}
      </FilteredPanel>
    </>
  )
}
