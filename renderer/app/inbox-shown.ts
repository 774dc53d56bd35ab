import { Observable } from '../state/observable.ts'

/** Whether the inbox is shown, at the right of the page. */
export const isInboxOpen = new Observable(false)

/** Shows the inbox. */
export function showInbox(): void {
  isInboxOpen.set(true)
}

/** Hides the inbox. What was typed in it stays. */
export function hideInbox(): void {
  isInboxOpen.set(false)
}
