import type { Frame, WireDirection } from '../../ports/tap.ts'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { parseMessage } from '../../protocol/parse.ts'
import { LineCutter, withoutEnding } from '../stdio/line-cutter.ts'

/** Longer lines are recorded in parts. */
const LONGEST_LINE = 64 * 1024 * 1024
const LIMITS = { ...DEFAULT_LIMITS, messageBytes: LONGEST_LINE }

/** The bytes of one direction as frames: a message for each line, and an invalid message with the reason. */
export function frameRecorder(direction: WireDirection, record: (frame: Frame) => void): LineCutter {
  return new LineCutter(LONGEST_LINE, (line, isWhole) => {
    const bytes = withoutEnding(line)
    if (bytes.length > 0) record(frameOfLine(direction, bytes, isWhole))
  })
}

/** A line without its ending as a frame. */
export function frameOfLine(direction: WireDirection, bytes: Buffer, isWhole = true): Frame {
  if (!isWhole)
    return { kind: 'invalid', direction, bytes, reason: `part of a line longer than ${LONGEST_LINE} bytes` }
  const parsed = parseMessage(bytes, LIMITS)
  if (!parsed.ok) return { kind: 'invalid', direction, bytes, reason: parsed.error.message }
  return { kind: 'message', direction, bytes, parsed: parsed.value }
}
