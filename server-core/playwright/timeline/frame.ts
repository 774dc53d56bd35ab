import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { parseMessage } from '../../protocol/parse.ts'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import type { Frame, HttpFacts } from '../../ports/tap.ts'
import { visibleText } from '../../protocol/visible-text.ts'

/** One thing that was seen on a connection of the test. */
export type TimelineFrame = {
  /** Its place in the timeline, from 0. */
  readonly number: number
  /** Milliseconds since the test began. */
  readonly at: number
  /** The connection it was seen on, from 1, in the order in which they were opened. */
  readonly connection: number
  readonly kind: Frame['kind']
  readonly from: 'client' | 'server'
  /** The messages in it: one, several in a batch, none where it is not a message. */
  readonly messages: readonly JsonObject[]
  /** The bytes as text. */
  readonly text: string
  readonly http?: HttpFacts
}

/** Where and when a frame was seen. */
export type FramePlace = Pick<TimelineFrame, 'number' | 'at' | 'connection' | 'from'>

/** A frame as the timeline has it. What is expensive is done when it is first read. */
export function timelineFrame(frame: Frame, place: FramePlace): TimelineFrame {
  let messages: readonly JsonObject[] | undefined
  return {
    ...place,
    kind: frame.kind,
    ...('http' in frame && { http: frame.http }),
    get messages() {
      return (messages ??= messagesIn(frame))
    },
    get text() {
      if (frame.kind === 'lifecycle') return frame.note
      return visibleText(Buffer.from(frame.bytes).toString())
    },
  }
}

function messagesIn(frame: Frame): readonly JsonObject[] {
  if (frame.kind !== 'message') return []
  const value = frame.parsed ?? valueOf(frame.bytes)
  return (Array.isArray(value) ? (value as readonly unknown[]) : [value]).filter(isJsonObject)
}

function valueOf(bytes: Uint8Array): unknown {
  const parsed = parseMessage(bytes, DEFAULT_LIMITS)
  return parsed.ok ? parsed.value : undefined
}
