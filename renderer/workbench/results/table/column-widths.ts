import { ABSENT, cellText, type TableRows } from './table-rows.ts'

/** Rows that are looked at; the widths would jump if they followed what is on the screen. */
const SAMPLE = 200
const LEAST = 6
const MOST = 42
/** Room for the space around a text and the mark of the order. */
const AROUND = 4

/** The widths of columns in characters, from their names and their first values. */
export function columnWidths(table: TableRows, columns: readonly number[]): readonly number[] {
  return columns.map((column) => {
    const about = table.columns[column]
    const head = about === undefined ? 0 : about.name.length + about.type.length + 1
    const longest = table.rows
      .slice(0, SAMPLE)
      .reduce((length, row) => Math.max(length, cellText(table, row[column] ?? ABSENT).length), head)
    return Math.min(MOST, Math.max(LEAST, longest)) + AROUND
  })
}
