import { QuestionWithdrawn } from '../../client/answers/question-withdrawn.ts'
import { safeLabel } from '../../capture/labels.ts'
import type { InboxState } from '../contract/inbox.ts'

/** What a question comes to for which nobody waits any more, by the reason that its signal was aborted for. */
export function closeReason(reason: unknown): InboxState {
  const at = Date.now()
  if (!(reason instanceof QuestionWithdrawn) || reason.code === 'call')
    return { type: 'withdrawn', at, reason: 'the call that it belongs to was given up' }
  if (reason.code === 'connection') return { type: 'connection-ended', at }
  return {
    type: 'withdrawn',
    at,
    ...(reason.words !== undefined && { reason: safeLabel(reason.words) }),
  }
}
