import { Observable } from '../state/observable.ts'

/** Whether the inbox is shown, at the right of the page. */
export const isInboxOpen = new Observable(false)

/** Shows the inbox. */
export function showInbox(): void {
  isInboxOpen.set(true)
}

/** Hides the inbox. What was typed in it stays, and the focus that was in it goes to the button that shows it again. */
export function hideInbox(): void {
  const hadFocus = document.querySelector('[data-region="inbox"]')?.contains(document.activeElement) === true
  isInboxOpen.set(false)
  if (hadFocus) document.querySelector<HTMLElement>('[data-inbox-button]')?.focus()
}
