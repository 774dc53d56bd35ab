import type { Limits } from '../protocol/limits.ts'
import { parseMessage } from '../protocol/parse.ts'
import type { HttpFacts, Frame } from './tap.ts'

/** How raw bytes appear on the tap: as a message if they are one, else as invalid, with the reason. */
export function rawFrame(bytes: Uint8Array, limits: Limits, http?: HttpFacts): Frame {
  const parsed = parseMessage(bytes, limits)
  const frame = { direction: 'sent', bytes, ...(http === undefined ? {} : { http }) } as const
  if (parsed.ok && typeof parsed.value === 'object' && parsed.value !== null)
    return { kind: 'message', ...frame, parsed: parsed.value }
  const reason = parsed.ok ? 'the JSON is not an object' : parsed.error.message
  return { kind: 'invalid', ...frame, reason: `sent as it is: ${reason}` }
}
