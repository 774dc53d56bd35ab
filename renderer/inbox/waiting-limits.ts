import type { InboxEntry } from '../../server-core/host/contract/inbox.ts'
import { durationText } from '../../server-core/protocol/duration-text.ts'
import { inboxText } from './text.ts'

/** Servers made with the official SDKs time out after a minute unless told otherwise. */
const USUAL_MS = 60_000
/** So long before a limit the waiting time is shown as a warning. */
const WARN_MS = 10_000

type Limits = Pick<InboxEntry, 'at' | 'deadline' | 'serverTimeoutMs'>

/** `0:18`, `12:05`, `2:00:00`. */
export function clockedText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  const two = (value: number): string => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const tail = two(seconds % 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${tail}` : `${minutes}:${tail}`
}

/** The limits that end a question, as far as they are known, each with whose it is. */
export function knownLimits({ at, deadline, serverTimeoutMs }: Limits): readonly string[] {
  return [
    deadline === undefined
      ? inboxText.waitingLimits.patchbayWaitsWithoutLimit
      : inboxText.waitingLimits.patchbayWaits(limitText(deadline - at)),
    ...(serverTimeoutMs === undefined
      ? []
      : [`the server timed out after ${limitText(serverTimeoutMs)} before`]),
  ]
}

/** The same in a sentence, which says too if the server's limit is not known. */
export function limitsText(limits: Limits): string {
  const unknown = limits.serverTimeoutMs === undefined ? ['the server’s own time-out is not known'] : []
  return [...knownLimits(limits), ...unknown].join('; ')
}

/** Whether a question that has waited so long may soon be over. */
export function isNearLimit(
  { at, deadline = Infinity, serverTimeoutMs = USUAL_MS }: Limits,
  waited: number,
): boolean {
  return waited >= Math.min(serverTimeoutMs, deadline - at) - WARN_MS
}

/** A limit as a person sets it: `10 min`, `45 s`, `1 min 30 s`. */
function limitText(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  if (seconds < 60) return `${seconds} s`
  return seconds % 60 === 0 ? inboxText.waitingLimits.min(seconds / 60) : durationText(ms)
}
