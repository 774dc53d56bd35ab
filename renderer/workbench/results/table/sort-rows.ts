import { ABSENT, cellNumber, cellText, type TableRows } from './table-rows.ts'

/** A column by which rows are ordered. */
export type RowSort = { readonly column: number; readonly direction: 'ascending' | 'descending' }

const TEXT_ORDER = new Intl.Collator('en', { numeric: true })

/**
 * Orders rows by the values of a column: numbers by value and before text, text with the numbers in it by value. Rows
 * without a value come last in either direction, and equal rows keep their order.
 *
 * @param places places of rows
 */
export function sortRows(
  table: TableRows,
  places: readonly number[],
  sort: RowSort | undefined,
): readonly number[] {
  if (sort === undefined) return places
  const sign = sort.direction === 'ascending' ? 1 : -1
  const keys = new Map(
    places.map((place) => [place, keyOf(table, table.rows[place]?.[sort.column] ?? ABSENT)]),
  )
  return places.toSorted((a, b) => compare(keys.get(a), keys.get(b), sign))
}

/** What a press of the head of a column makes of the order: ascending, then descending, then as the server sent it. */
export function nextSort(sort: RowSort | undefined, column: number): RowSort | undefined {
  if (sort?.column !== column) return { column, direction: 'ascending' }
  return sort.direction === 'ascending' ? { column, direction: 'descending' } : undefined
}

type Key = number | string | undefined

function keyOf(table: TableRows, node: number): Key {
  if (node === ABSENT) return undefined
  const text = cellText(table, node)
  return cellNumber(table, node) ?? (text === 'null' ? undefined : text)
}

function compare(a: Key, b: Key, sign: number): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b)
  if (typeof a === 'string' && typeof b === 'string') return sign * TEXT_ORDER.compare(a, b)
  return sign * (typeof a === 'number' ? -1 : 1)
}
