import type { FrameView } from '../capture/exchange.ts'
import type { Redaction } from '../capture/redaction.ts'
import { viewFrame } from '../capture/stored-frame.ts'
import type { NumberedFrame } from './recording-view.ts'
import { tappedFrame } from './rows-of-frames.ts'

/** A recorded frame as the window reads it, with its number in the recording. */
export function viewRecorded(frame: NumberedFrame, whole: boolean, redaction: Redaction): FrameView {
  const { number, at, direction, bytes, http, reason, event, masked } = frame
  const { kind } = tappedFrame(frame)
  const view = viewFrame(
    { seq: number, at, kind, direction, bytes, http, reason, event, rows: [] },
    whole,
    redaction,
  )
  return masked === true ? { ...view, redacted: true } : view
}
