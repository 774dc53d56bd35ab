import { Observable } from '../state/observable.ts'

/** Whether the question "Clear the timeline?" is open: asked from the timeline's menu and from the palette. */
export const askingToClear = new Observable(false)
