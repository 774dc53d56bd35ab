import { ABSENT, cellNumber, cellText, type TableRows } from '../table/table-rows.ts'

/** A column of numbers. */
export type Series = {
  readonly column: number
  readonly name: string
  /** One for each point; undefined where the row has no number. */
  readonly values: readonly (number | undefined)[]
}

export type ChartData = {
  /** The texts below the points, one for each. */
  readonly labels: readonly string[]
  readonly series: readonly Series[]
  /** Rows that are not drawn. */
  readonly leftOut: number
}

/** The number of a row in place of a column. */
export const BY_ROW = -1

/** Fewer numbers are read more easily as they are. */
const LEAST_NUMBERS = 3
/** More points than a screen has pixels. */
const MAX_POINTS = 2_000

/** The places of the columns that can be drawn: those with at least three numbers. */
export function seriesColumns(table: TableRows): readonly number[] {
  return table.columns.flatMap(({ numbers, type }, place) =>
    numbers >= LEAST_NUMBERS && type === 'number' ? [place] : [],
  )
}

/** What the points are drawn over at first: the first column of text, or the number of the row. */
export function firstBase(table: TableRows): number {
  const place = table.columns.findIndex(({ type }) => type === 'string')
  return place < 0 ? BY_ROW : place
}

/** The points of some columns over the values of another, in the order of the rows. */
export function chartData(table: TableRows, base: number, columns: readonly number[]): ChartData {
  const rows = table.rows.slice(0, MAX_POINTS)
  return {
    labels: rows.map((row, place) =>
      base === BY_ROW ? String(place + 1) : cellText(table, row[base] ?? ABSENT),
    ),
    series: columns.map((column) => ({
      column,
      name: table.columns[column]?.name ?? '',
      values: rows.map((row) => {
        const value = cellNumber(table, row[column] ?? ABSENT)
        return value !== undefined && Number.isFinite(value) ? value : undefined
      }),
    })),
    leftOut: table.rows.length - rows.length,
  }
}
