import { useMemo } from 'react'
import { countOf } from '../../../json/json-index.ts'
import { countText } from '../../../text/measures.ts'
import { SafeText } from '../../../text/safe-text.tsx'
import styles from '../results.module.css'
import { ABSENT, cellText, readTableRows, type TablePlace } from './table-rows.ts'
import { tableText } from './text.ts'

const MAX_ROWS = 300
/** Characters of a cell; the tree has the others. */
const MAX_CELL = 200

/** The first rows of a list of objects, beside its tree. */
export function SideTable({ source }: { source: TablePlace }) {
  const table = useMemo(() => readTableRows(source, MAX_ROWS), [source])
  const total = countOf(source.index, source.list)
  const label = source.name === '' ? tableText.tableView.wholeResult : tableText.tableView.named(source.name)
  const figure = table.columns.map(({ type }) => (type === 'number' ? styles.figure : undefined))
  return (
    <div className={styles.tablePane} role="region" aria-label={label} tabIndex={0}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {table.columns.map(({ name }, column) => (
              <th key={name} scope="col" className={figure[column]}>
                <SafeText>{name}</SafeText>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, place) => (
            <tr key={place}>
              {table.columns.map(({ name }, column) => (
                <td key={name} className={figure[column]}>
                  <SafeText>{shortened(cellText(table, row[column] ?? ABSENT))}</SafeText>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {total > table.rows.length && (
        <p className={styles.note}>
          {tableText.sideTable.firstRows(countText(table.rows.length), countText(total))}
        </p>
      )}
    </div>
  )
}

function shortened(text: string): string {
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text
}
