import type { Row } from './rows.ts'

/** The row that a key leads to from the row at `active`; `undefined` if the key leads nowhere. */
export function nextRow(rows: readonly Row[], active: number, key: string): Row | undefined {
  switch (key) {
    case 'ArrowDown':
    case 'ArrowRight':
      return rows[active + 1]
    case 'ArrowUp':
      return rows[active - 1]
    case 'Home':
      return rows[0]
    case 'End':
      return rows.at(-1)
    case 'PageDown':
      return rows[Math.min(rows.length - 1, active + 15)]
    case 'PageUp':
      return rows[Math.max(0, active - 15)]
    case 'ArrowLeft':
      return rows.slice(0, active).findLast((row) => row.kind === 'section')
    default:
      return key.length === 1 ? typedRow(rows, active, key.toLowerCase()) : undefined
  }
}

/** The next entry whose name begins with what was typed, going round. */
function typedRow(rows: readonly Row[], active: number, letter: string): Row | undefined {
  const round = [...rows.slice(active + 1), ...rows.slice(0, active + 1)]
  return round.find((row) => row.kind === 'entry' && row.entry.label.toLowerCase().startsWith(letter))
}
