import type { Exchanges } from '../host/exchange-rows.ts'
import { live } from '../host/live.ts'
import { Observable } from '../state/observable.ts'
import { FollowModel } from './following.ts'
import { TimelineModel } from './timeline-model.ts'

/** The rows of a timeline, what is selected of them, and whether the newest are kept in sight. */
export type TimelineState = {
  readonly timeline: TimelineModel
  /** The row that is selected, by id. */
  readonly selectedExchange: Observable<string | undefined>
  /** Whether the frames of the selected row are open. */
  readonly framesOpen: Observable<boolean>
  /** Whether the newest rows are kept in sight. */
  readonly following: FollowModel
}

/** The state of a timeline of these rows; it outlives the panel that shows them. */
export function timelineStateOf(exchanges: Pick<Observable<Exchanges>, 'get' | 'subscribe'>): TimelineState {
  const timeline = new TimelineModel(exchanges)
  const selectedExchange = new Observable<string | undefined>(undefined)
  const framesOpen = new Observable(false)
  const following = new FollowModel({
    selected: selectedExchange,
    framesOpen,
    newestId: () => timeline.view.get().rows.findLast((row) => row !== undefined)?.id,
  })
  return { timeline, selectedExchange, framesOpen, following }
}

/** The timeline of this window. */
export const liveTimeline = timelineStateOf(live.exchanges)
export const { timeline, selectedExchange, framesOpen, following } = liveTimeline
