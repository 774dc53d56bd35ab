import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'

/**
 * Returns the rows of a virtual list to render: those in sight, and the active one wherever it is, because
 * `aria-activedescendant` names it. A negative place stands for none.
 */
export function rangeWith(active: number): (range: Range) => number[] {
  return (range) => {
    const shown = defaultRangeExtractor(range)
    const isElsewhere = active >= 0 && active < range.count && !shown.includes(active)
    return isElsewhere ? [...shown, active].sort((one, other) => one - other) : shown
  }
}
