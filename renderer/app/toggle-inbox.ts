import { goToPanel } from './go-to-panel.ts'
import { hideInbox, isInboxOpen } from './inbox-shown.ts'

/** Opens the inbox and focuses it, or closes it. */
export function toggleInbox(): void {
  if (isInboxOpen.get()) hideInbox()
  else goToPanel('inbox')
}
