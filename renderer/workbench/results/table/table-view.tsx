import { useVirtualizer } from '@tanstack/react-virtual'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { Button } from '../../../controls/button.tsx'
import { classes } from '../../../controls/classes.ts'
import { copyText } from '../../../controls/clipboard.ts'
import { IconButton } from '../../../controls/icon-button.tsx'
import { Menu } from '../../../controls/menu.tsx'
import { TextField } from '../../../controls/text-field.tsx'
import { showFailure } from '../../../controls/toast.tsx'
import { countText } from '../../../text/measures.ts'
import { SafeText } from '../../../text/safe-text.tsx'
import { filterRows } from './filter-rows.ts'
import { nextSort, sortRows, type RowSort } from './sort-rows.ts'
import { ABSENT, cellText, readTableRows, type TablePlace, type TableRows } from './table-rows.ts'
import { csvOf, jsonOf } from './table-text.ts'
import styles from './table.module.css'
import { tableText } from './text.ts'
import { columnWidths } from './column-widths.ts'

const ROW_HEIGHT = 22
/** Characters of a cell that are shown; the tree has the others. */
const MAX_CELL = 300

/** A list of objects as a table that is sorted, filtered and copied. Only the rows on the screen are rendered. */
export default function TableView({ source }: { source: TablePlace }) {
  const table = useMemo(() => readTableRows(source), [source])
  const [filter, setFilter] = useState('')
  const [sort, setSort] = useState<RowSort | undefined>(undefined)
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set())
  const calmFilter = useDeferredValue(filter)
  const found = useMemo(() => filterRows(table, calmFilter), [table, calmFilter])
  const places = useMemo(() => sortRows(table, found, sort), [table, found, sort])
  const columns = useMemo(
    () => table.columns.map((_, place) => place).filter((place) => !hidden.has(place)),
    [table, hidden],
  )
  const copy = (text: string): void => {
    copyText(text).catch((error: unknown) => showFailure(tableText.tableView.couldNotCopy, error))
  }
  const label = table.name === '' ? tableText.tableView.wholeResult : tableText.tableView.named(table.name)
  return (
    <section className={styles.view} aria-label={label}>
      <div className={styles.bar}>
        <TextField
          icon="filter"
          mono
          className={styles.filter}
          aria-label={tableText.tableView.filterRows}
          placeholder={tableText.tableView.filterHint}
          value={filter}
          onValueChange={setFilter}
        />
        <span className={styles.count} role="status">
          {tableText.tableView.rows(countText(places.length), countText(table.rows.length))},{' '}
          {tableText.tableView.columns(columns.length, table.columns.length)}
        </span>
        <span className={styles.end}>
          <Menu
            trigger={<Button tone="quiet">{tableText.tableView.chooseColumns}</Button>}
            entries={table.columns.map(({ name }, place) => ({
              type: 'check',
              label: name,
              checked: !hidden.has(place),
              onChange: (checked) => setHidden(toggled(hidden, place, !checked)),
            }))}
          />
          <Button icon="copy" onClick={() => copy(csvOf(table, places, columns))}>
            {tableText.tableView.copyAsCsv}
          </Button>
          <IconButton
            icon="script"
            label={tableText.tableView.copyAsJson}
            onClick={() => copy(jsonOf(table, places, columns))}
          />
        </span>
      </div>
      <Rows table={table} label={label} places={places} columns={columns} sort={sort} onSort={setSort} />
      {table.leftOut > 0 && <p className={styles.note}>{tableText.tableView.leftOut(table.leftOut)}</p>}
    </section>
  )
}

function toggled(set: ReadonlySet<number>, value: number, isIn: boolean): ReadonlySet<number> {
  const next = new Set(set)
  if (isIn) next.add(value)
  else next.delete(value)
  return next
}

interface RowsProps {
  table: TableRows
  label: string
  places: readonly number[]
  columns: readonly number[]
  sort: RowSort | undefined
  onSort: (sort: RowSort | undefined) => void
}

function Rows({ table, label, places, columns, sort, onSort }: RowsProps) {
  const scroll = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: places.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    scrollPaddingStart: ROW_HEIGHT,
  })
  const widths = useMemo(() => columnWidths(table, columns), [table, columns])
  const template = { gridTemplateColumns: `5ch ${widths.map((width) => `${String(width)}ch`).join(' ')}` }
  return (
    <div ref={scroll} className={styles.scroll} role="region" aria-label={label} tabIndex={0}>
      <div role="table" aria-label={label} aria-rowcount={places.length + 1} className={styles.table}>
        <div role="rowgroup" className={styles.head}>
          <div role="row" className={styles.row} style={template} aria-rowindex={1}>
            <span role="columnheader" className={styles.place}>
              <span className="vh">{tableText.tableView.row}</span>
            </span>
            {columns.map((column) => (
              <Head key={column} table={table} column={column} sort={sort} onSort={onSort} />
            ))}
          </div>
        </div>
        <div role="rowgroup" className={styles.body} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const place = places[item.index] ?? 0
            return (
              <div
                key={item.key}
                role="row"
                aria-rowindex={item.index + 2}
                className={styles.row}
                style={{ ...template, transform: `translateY(${String(item.start)}px)` }}
              >
                <span role="cell" className={styles.place}>
                  {place + 1}
                </span>
                {columns.map((column) => (
                  <Cell
                    key={column}
                    table={table}
                    column={column}
                    node={table.rows[place]?.[column] ?? ABSENT}
                  />
                ))}
              </div>
            )
          })}
        </div>
      </div>
      {places.length === 0 && <p className={styles.note}>{tableText.tableView.noRows}</p>}
    </div>
  )
}

interface HeadProps {
  table: TableRows
  column: number
  sort: RowSort | undefined
  onSort: (sort: RowSort | undefined) => void
}

function Head({ table, column, sort, onSort }: HeadProps) {
  const about = table.columns[column]
  const direction = sort?.column === column ? sort.direction : undefined
  if (about === undefined) return null
  return (
    <span
      role="columnheader"
      aria-sort={direction ?? 'none'}
      className={classes(about.type === 'number' && styles.figure, direction !== undefined && styles.sorted)}
    >
      <button type="button" className={styles.sort} onClick={() => onSort(nextSort(sort, column))}>
        <SafeText>{about.name}</SafeText>
        {direction !== undefined && (
          <span aria-hidden="true">{direction === 'ascending' ? ' ▲' : ' ▼'}</span>
        )}{' '}
        <span className={styles.type}>{about.type}</span>
      </button>
    </span>
  )
}

function Cell({ table, column, node }: { table: TableRows; column: number; node: number }) {
  const text = cellText(table, node)
  const isNumber = table.columns[column]?.type === 'number'
  const isNone = node === ABSENT || text === 'null'
  return (
    <span
      role="cell"
      className={classes(styles.cell, isNumber && styles.figure, isNone && styles.none)}
      title={node === ABSENT ? tableText.tableView.absent : undefined}
    >
      <SafeText>{text.length > MAX_CELL ? `${text.slice(0, MAX_CELL)}…` : text}</SafeText>
    </span>
  )
}
