import { useMemo } from 'react'
import type { CallPermissionChoice, CheckRow, RunView } from '../../server-core/host/contract/conformance.ts'
import { focusPanel } from '../app/panel-walk.ts'
import { Bar } from '../controls/bar.tsx'
import { Button } from '../controls/button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { Segmented } from '../controls/segmented.tsx'
import { TextField } from '../controls/text-field.tsx'
import { useObservable } from '../state/observable.ts'
import { counted } from '../text/measures.ts'
import { ChecksTable } from './checks-table.tsx'
import styles from './conformance.module.css'
import { runAgain } from './conformance-actions.ts'
import { isFailure } from './status-look.ts'
import { conformanceText } from './text.ts'
import { isUnderWay, useChecks } from './use-run.ts'
import { chosenArea, chosenCheck, filterText, shownChecks, type CellName, type Shown } from './view-state.ts'

const { checks: text, matrix } = conformanceText
const SHOWN = (['all', 'failed', 'changed'] as const).map((value) => ({ value, label: text[value] }))

interface ChecksPanelProps {
  run: RunView
  cell: CellName
  permission: CallPermissionChoice | undefined
}

/** The checks of the selected cell, by area, verdict and text. */
export function ChecksPanel({ run, cell, permission }: ChecksPanelProps) {
  const all = useChecks(run, cell)
  const area = useObservable(chosenArea)
  const filter = useObservable(filterText)
  const shown = useObservable(shownChecks)
  const selected = useObservable(chosenCheck)
  const rows = useMemo(
    () => all.filter((row) => matches(row, { area, filter, shown })),
    [all, area, filter, shown],
  )
  return (
    <>
      <Bar
        className={styles.checksBar}
        end={
          <Button
            icon="restart"
            disabled={isUnderWay(run)}
            onClick={() => void runAgain(run, permission, { type: 'cell', ...cell })}
          >
            {text.rerunCell}
          </Button>
        }
      >
        <h2>{text.over(cell.revision, matrix.transports[cell.transport])}</h2>
        <span className="small t3" role="status">
          {counted(rows.length, 'check')}
        </span>
        <Segmented<Shown>
          label={text.show}
          options={SHOWN}
          value={shown}
          onValueChange={(next) => shownChecks.set(next)}
        />
        <TextField
          className={styles.filter}
          icon="search"
          aria-label={text.filter}
          placeholder={text.filterPlaceholder}
          value={filter}
          onValueChange={(next) => filterText.set(next)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') filterText.set('')
            else if (event.key === 'ArrowDown') focusPanel('checks')
            else return
            event.preventDefault()
          }}
        />
      </Bar>
      {rows.length === 0 && all.length > 0 ? (
        <EmptyState
          title={text.nothingMatches}
          actions={
            <Button
              onClick={() => {
                filterText.set('')
                shownChecks.set('all')
                chosenArea.set(undefined)
              }}
            >
              {text.clearFilter}
            </Button>
          }
        />
      ) : (
        <ChecksTable
          rows={rows}
          selected={selected}
          onSelect={(id) => chosenCheck.set(id)}
          onOpen={() => focusPanel('check')}
        />
      )}
    </>
  )
}

type Filter = { readonly area: string | undefined; readonly filter: string; readonly shown: Shown }

function matches(row: CheckRow, { area, filter, shown }: Filter): boolean {
  if (area !== undefined && row.area !== area) return false
  if (shown === 'failed' && !isFailure(row.status) && row.status !== 'warned') return false
  if (shown === 'changed' && row.before === undefined) return false
  const text = `${row.id}\n${row.title}\n${row.clause}`.toLowerCase()
  return text.includes(filter.trim().toLowerCase())
}
