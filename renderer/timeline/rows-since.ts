import type { TimelineView } from './timeline-model.ts'

/** How many of the rows that are shown came after the one with this id; all, if there was none or it is gone. */
export function rowsSince(
  view: Pick<TimelineView, 'places'> & { readonly tree: Pick<TimelineView['tree'], 'placeOf'> },
  lastSeen: string | undefined,
): number {
  const last = lastSeen === undefined ? undefined : view.tree.placeOf(lastSeen)
  if (last === undefined) return view.places.length
  return view.places.reduce((count, place) => (place > last ? count + 1 : count), 0)
}
