import { live } from '../host/live.ts'
import { Observable } from '../state/observable.ts'
import { TimelineModel } from './timeline-model.ts'

/** The rows of this page's timeline; they outlive the panel that shows them. */
export const timeline = new TimelineModel(live.exchanges)

/** The row that is selected, by id. */
export const selectedExchange = new Observable<string | undefined>(undefined)

/** Whether the frames of the selected row are open. */
export const framesOpen = new Observable(false)

/** Selects an exchange and opens its frames; what it stands in is expanded. The timeline scrolls to it. */
export function showExchange(id: string): void {
  const { tree, rows } = timeline.view.get()
  const place = tree.placeOf(id)
  let parent = place === undefined ? undefined : rows[place]
  const around: string[] = []
  while (parent?.parentId !== undefined) {
    around.push(parent.parentId)
    parent = tree.parentOf(parent)
  }
  if (around.length > 0) timeline.setExpanded(around, true)
  selectedExchange.set(id)
  framesOpen.set(true)
}
