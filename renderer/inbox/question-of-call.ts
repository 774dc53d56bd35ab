import { useMemo } from 'react'
import type { InboxEntry } from '../../server-core/host/contract/inbox.ts'
import { live } from '../host/live.ts'
import { useSelected } from '../state/observable.ts'
import { timeline } from '../timeline/selection.ts'
import type { TimelineView } from '../timeline/timeline-model.ts'
import { rowsAround } from './entry-place.ts'

/** A call as the page knows it while it is running. */
type CallSought = {
  readonly serverId: string
  /** What is called or read: the name of the tool or prompt, or the URI. */
  readonly subject: string
  /** When it was sent, in milliseconds since 1970. */
  readonly since: number
}

/** The oldest question that keeps a running call waiting for the user; `undefined` if none does. */
export function useQuestionOf({ serverId, subject, since }: CallSought): InboxEntry | undefined {
  const entries = useSelected(live.parts.inbox, (all) => all)
  const asked = useMemo(
    () =>
      entries.filter(
        ({ serverId: its, at, state }) =>
          its === serverId &&
          at >= since &&
          state.type === 'open' &&
          (state.waitsFor === 'person' || state.proposed),
      ),
    [entries, serverId, since],
  )
  return useSelected(timeline.view, (view) => asked.find((entry) => belongsTo(view, entry, subject)))
}

/** Whether a question may belong to the call of this subject: unless the timeline has it inside another call. */
function belongsTo(view: TimelineView, { exchangeId, method }: InboxEntry, subject: string): boolean {
  const call = rowsAround(view, exchangeId).find((row) => row.method !== method)
  return call === undefined || call.label === '' || call.label === subject
}
