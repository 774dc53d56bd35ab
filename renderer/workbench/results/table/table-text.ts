import { JsonKind, keySource, kindOf, valueSource } from '../../../json/json-index.ts'
import { ABSENT, cellText, type TableRows } from './table-rows.ts'

/**
 * Rows as CSV (RFC 4180) with a line of column names. A text that a spreadsheet would run as a formula begins with an
 * apostrophe, because it comes from the server.
 *
 * @param places places of rows, in the order in which they are written
 * @param columns places of columns
 */
export function csvOf(table: TableRows, places: readonly number[], columns: readonly number[]): string {
  const head = columns.map((column) => quoted(harmless(table.columns[column]?.name ?? '')))
  const lines = places.map((place) =>
    columns.map((column) => csvCell(table, table.rows[place]?.[column] ?? ABSENT)).join(','),
  )
  return [head.join(','), ...lines, ''].join('\r\n')
}

/** Rows as a JSON array of objects; the values are as they were written. */
export function jsonOf(table: TableRows, places: readonly number[], columns: readonly number[]): string {
  const objects = places.map((place) => {
    const members = columns.flatMap((column) => {
      const node = table.rows[place]?.[column] ?? ABSENT
      if (node === ABSENT) return []
      return [`${keySource(table.index, node) ?? '""'}: ${valueSource(table.index, node)}`]
    })
    return `  { ${members.join(', ')} }`
  })
  return `[\n${objects.join(',\n')}\n]\n`
}

function csvCell(table: TableRows, node: number): string {
  const text = cellText(table, node)
  const isText = node !== ABSENT && kindOf(table.index, node) === JsonKind.string
  return quoted(isText ? harmless(text) : text)
}

function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
