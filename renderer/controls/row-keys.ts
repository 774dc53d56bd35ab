/** So many rows are a page. */
const PAGE = 15

/** What keys have to know of the rows of a list that has groups. */
export type RowFacts<Row> = {
  readonly isGroup: (row: Row) => boolean
  /** The name of an entry, by which it is found when one types; undefined for a group. */
  readonly nameOf: (row: Row) => string | undefined
}

/** The row that a key leads to from the row at `active`; `undefined` if the key leads nowhere. */
export function rowForKey<Row>(
  rows: readonly Row[],
  active: number,
  key: string,
  facts: RowFacts<Row>,
): Row | undefined {
  switch (key) {
    case 'ArrowDown':
      return rows[active + 1]
    case 'ArrowUp':
      return rows[active - 1]
    case 'Home':
      return rows[0]
    case 'End':
      return rows.at(-1)
    case 'PageDown':
      return rows[Math.min(rows.length - 1, active + PAGE)]
    case 'PageUp':
      return rows[Math.max(0, active - PAGE)]
    case 'ArrowLeft':
      return rows.slice(0, active).findLast((row) => facts.isGroup(row))
    default:
      return key.length === 1 && key !== ' ' ? typedRow(rows, active, key.toLowerCase(), facts) : undefined
  }
}

/** The next entry whose name begins with what was typed, going round. */
function typedRow<Row>(
  rows: readonly Row[],
  active: number,
  letter: string,
  { nameOf }: RowFacts<Row>,
): Row | undefined {
  const round = [...rows.slice(active + 1), ...rows.slice(0, active + 1)]
  return round.find((row) => nameOf(row)?.toLowerCase().startsWith(letter) === true)
}
