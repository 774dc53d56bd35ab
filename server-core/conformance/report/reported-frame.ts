import type { Masking } from '../../capture/redaction.ts'
import type { CapturedFrame } from '../frames/captured-frame.ts'
import type { ReportedFrame } from './report-schema.ts'

/** Characters of a frame in a report. */
const LONGEST = 4_000

/** A frame as a report shows it: text, secrets masked, long ones cut. */
export function reportedFrame(frame: CapturedFrame, masking: Masking): ReportedFrame {
  const { index, at, from, kind, bytes, value, http, reason } = frame
  const text = kind === 'message' && value !== undefined ? JSON.stringify(value, undefined, 2) : textOf(bytes)
  const head =
    http === undefined
      ? reason
      : http.status === undefined
        ? `${http.method} ${http.url}`
        : `HTTP ${http.status}`
  return {
    index,
    at: new Date(at).toISOString(),
    from,
    kind,
    ...(head !== undefined && { head: masking.text(head) }),
    text: masking.text(shortened(text)),
    bytes: bytes.length,
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, LONGEST + 1)).toString('utf8')
}

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters)`
}
