import type { InboxEntry } from '../../server-core/host/contract/inbox.ts'
import { live } from '../host/live.ts'
import { Observable, useObservable, useSelected } from '../state/observable.ts'
import { keepDraftsOf } from './answer-draft.ts'
import { waitingForPeople } from './entry-words.ts'
import type { QuestionKind } from './entry-words.ts'
import { keepAnswersOf } from './inbox-actions.ts'

/** Everything the servers asked that is still kept. */
export function useInbox(): readonly InboxEntry[] {
  return useObservable(live.parts.inbox)
}

/** How many questions wait for a person. */
export function useWaiting(): number {
  return useSelected(live.parts.inbox, waitingForPeople)
}

/** Which entries were opened and closed by hand; the others are as they come. */
export const unfolded = new Observable<ReadonlyMap<string, boolean>>(new Map())

/** Opens or closes an entry by hand. */
export function unfold(id: string, isUnfolded: boolean): void {
  unfolded.set(new Map(unfolded.get()).set(id, isUnfolded))
}

/** Whose rules a dialog shows, and which kind of question it begins with. */
export type ShownRules = { readonly serverId: string | undefined; readonly kind?: QuestionKind | undefined }

/** The rules that the dialog shows; undefined while it is closed. */
export const rulesDialog = new Observable<ShownRules | undefined>(undefined)

/** Shows who answers a server's questions; without a server, for all of them. */
export function openRules(serverId: string | undefined, kind?: QuestionKind): void {
  rulesDialog.set({ serverId, kind })
}

/** Closes the dialog, unless it was closed before and shows other rules by now. */
export function closeRules(shown: ShownRules): void {
  if (rulesDialog.get() === shown) rulesDialog.set(undefined)
}

/** What was typed for questions that are over is let go. To be called once. */
export function followInbox(): void {
  live.parts.inbox.subscribe(() => {
    const open = live.parts.inbox.get().filter(({ state }) => state.type === 'open')
    const ids = new Set(open.map(({ id }) => id))
    keepDraftsOf(ids)
    keepAnswersOf(ids)
  })
}
