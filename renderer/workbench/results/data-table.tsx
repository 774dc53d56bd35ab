import { useMemo } from 'react'
import { countText } from '../../text/measures.ts'
import { SafeText } from '../../text/safe-text.tsx'
import styles from './results.module.css'
import type { Table } from './table-of.ts'
import { workbenchResultsText } from './text.ts'

/** An array of objects as a table. */
export function DataTable({ table }: { table: Table }) {
  const label =
    table.name === ''
      ? workbenchResultsText.dataTable.tableLabel
      : workbenchResultsText.dataTable.asATable(table.name)
  const body = useMemo(
    () =>
      table.rows.map((row, place) => (
        <tr key={place}>
          {row.map((cell, column) => (
            <td key={column} className={table.columns[column]?.isNumber === true ? styles.figure : undefined}>
              <SafeText>{cell}</SafeText>
            </td>
          ))}
        </tr>
      )),
    [table],
  )
  return (
    <div className={styles.tablePane} role="region" aria-label={label} tabIndex={0}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {table.columns.map((column) => (
              <th key={column.name} scope="col" className={column.isNumber ? styles.figure : undefined}>
                <SafeText>{column.name}</SafeText>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{body}</tbody>
      </table>
      {table.total > table.rows.length && (
        <p className={styles.note}>
          {countText(table.rows.length)} {workbenchResultsText.dataTable.ofText} {countText(table.total)}{' '}
          {workbenchResultsText.dataTable.truncatedRows}
        </p>
      )}
    </div>
  )
}
