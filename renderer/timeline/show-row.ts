/** Heights in pixels: of each row, and of the head that stays on top of them. */
export type RowHeights = { readonly row: number; readonly head: number }

/** What of a list is in sight. */
type Sight = { readonly scrollTop: number; readonly clientHeight: number }

/**
 * Returns how far to scroll so that a row is in sight, no farther than needed.
 *
 * The virtualizer's own way corrects itself for several frames, and so undoes what a user scrolls meanwhile.
 */
export function scrollTopFor(
  index: number,
  { scrollTop, clientHeight }: Sight,
  { row, head }: RowHeights,
): number {
  const above = index * row
  const below = head + above + row - clientHeight
  // A list lower than a row shows the beginning of the row.
  return Math.min(above, Math.max(below, scrollTop))
}
