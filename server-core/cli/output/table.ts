import { visibleLine } from '../../protocol/visible-text.ts'
import { padded, textWidth } from './text-width.ts'

const LONGEST_CELL = 400

/** Rows of texts with aligned columns, in lines. What could steer a terminal is made visible first. */
export function table(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map((cell) => visibleLine(cell, LONGEST_CELL)))
  const widths: number[] = []
  for (const row of shown)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, textWidth(cell))
  return shown
    .map((row) =>
      row
        .map((cell, at) => padded(cell, widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
