import { rowForKey, type RowFacts } from '../controls/row-keys.ts'
import type { Row } from './rows.ts'

const FACTS: RowFacts<Row> = {
  isGroup: (row) => row.kind === 'section',
  nameOf: (row) => (row.kind === 'entry' ? row.entry.label : undefined),
}

/** The row that a key leads to from the row at `active`; `undefined` if the key leads nowhere. */
export function nextRow(rows: readonly Row[], active: number, key: string): Row | undefined {
  return rowForKey(rows, active, key === 'ArrowRight' ? 'ArrowDown' : key, FACTS)
}
