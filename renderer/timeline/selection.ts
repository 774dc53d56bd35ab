import { live } from '../host/live.ts'
import { Observable } from '../state/observable.ts'
import { TimelineModel } from './timeline-model.ts'

/** The rows of this page's timeline; they outlive the panel that shows them. */
export const timeline = new TimelineModel(live.exchanges)

/** The row that is selected, by id. */
export const selectedExchange = new Observable<string | undefined>(undefined)

/** Whether the frames of the selected row are open. */
export const framesOpen = new Observable(false)
