import { live } from '../host/live.ts'
import { Observable } from '../state/observable.ts'
import { FollowModel } from './following.ts'
import { TimelineModel } from './timeline-model.ts'

/** The rows of this page's timeline; they outlive the panel that shows them. */
export const timeline = new TimelineModel(live.exchanges)

/** The row that is selected, by id. */
export const selectedExchange = new Observable<string | undefined>(undefined)

/** Whether the frames of the selected row are open. */
export const framesOpen = new Observable(false)

/** Whether the newest rows are kept in sight. */
export const following = new FollowModel({
  selected: selectedExchange,
  framesOpen,
  newestId: () => timeline.view.get().rows.findLast((row) => row !== undefined)?.id,
})
