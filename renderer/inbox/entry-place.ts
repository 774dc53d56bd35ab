import type { InboxEntry } from '../../server-core/host/contract/inbox.ts'
import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import { showInbox } from '../app/inbox-shown.ts'
import { focusWhenThere } from '../controls/focus-when-there.ts'
import { useSelected } from '../state/observable.ts'
import { framesOpen, selectedExchange, timeline } from '../timeline/selection.ts'
import type { TimelineView } from '../timeline/timeline-model.ts'
import { unfold } from './inbox-state.ts'

/** The rows around a question, the innermost first: its own, then the call that it belongs to. */
export function rowsAround(
  { rows, tree }: TimelineView,
  exchangeId: string | undefined,
): readonly Exchange[] {
  const around: Exchange[] = []
  for (let id = exchangeId; id !== undefined && around.length < 32;) {
    const row = rows[tree.placeOf(id) ?? -1]
    if (row === undefined) break
    around.push(row)
    id = row.parentId
  }
  return around
}

/** The name of the tool, prompt or resource that a question was asked for, if its row is still kept. */
export function useCallOf({ exchangeId, method }: InboxEntry): string | undefined {
  return useSelected(timeline.view, (view) => {
    const call = rowsAround(view, exchangeId).find((row) => row.method !== method)
    return call === undefined || call.label === '' ? call?.method : call.label
  })
}

/** Unfolds a question in the inbox and moves the focus to it. */
export function openQuestion(id: string): void {
  unfold(id, true)
  showInbox()
  focusWhenThere(() =>
    document.querySelector<HTMLElement>(`[data-question="${CSS.escape(id)}"] [data-entry]`),
  )
}

/** Shows a question among the rows of the timeline, with what it is nested in. */
export function showOnTimeline({ exchangeId }: InboxEntry): void {
  if (exchangeId === undefined) return
  const [, ...around] = rowsAround(timeline.view.get(), exchangeId)
  timeline.setExpanded(
    around.map(({ id }) => id),
    true,
  )
  selectedExchange.set(exchangeId)
  framesOpen.set(true)
}
