import { countAfter } from './exchange-tree.ts'
import type { TimelineView } from './timeline-model.ts'

/** How many of the shown rows came after the row with this id; all if the id is undefined or its row was removed. */
export function rowsSince(
  view: Pick<TimelineView, 'places' | 'isSorted'> & { readonly tree: Pick<TimelineView['tree'], 'placeOf'> },
  lastSeen: string | undefined,
): number {
  const last = lastSeen === undefined ? undefined : view.tree.placeOf(lastSeen)
  return last === undefined ? view.places.length : countAfter(view, last)
}
