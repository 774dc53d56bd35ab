import { isUtf8 } from 'node:buffer'
import type { WireDirection } from '../ports/tap.ts'
import type { Recorded } from './recorded.ts'
import type { FrameView } from './exchange.ts'
import type { Redaction } from './redaction.ts'
import type { StoredFrame } from './row.ts'

const NONE: readonly never[] = []

/** The form of a recorded frame that is folded into rows; its bytes are not copied. */
export function storedFrame(recorded: Recorded, seq: number): StoredFrame {
  const { direction } = recorded
  return {
    seq,
    at: recorded.at,
    kind: recorded.kind,
    direction: recorded.connection.source.side === 'client' ? direction : opposite(direction),
    bytes: recorded.bytes,
    http: recorded.http,
    reason: recorded.reason,
    event: recorded.event,
    rows: NONE,
  }
}

/** The direction that an answer takes. */
export function opposite(direction: WireDirection): WireDirection {
  return direction === 'sent' ? 'received' : 'sent'
}

/** Bytes that do not share the memory of a larger buffer: storing them stores nothing else. */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.buffer.byteLength > bytes.byteLength * 2 + 512 ? new Uint8Array(bytes) : bytes
}

const PART_BYTES = 256 * 1024
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * The frame as the window reads it: text without registered secrets, cut at 256 KiB (never inside a character or a
 * secret) unless `whole`.
 */
export function viewFrame(frame: StoredFrame, whole: boolean, redaction: Redaction): FrameView {
  const { bytes } = frame
  const isCut = !whole && bytes.byteLength > PART_BYTES
  const end = isCut ? redaction.cutBefore(bytes, characterStart(bytes, PART_BYTES)) : bytes.byteLength
  const text = decoder.decode(bytes.subarray(0, end))
  const shown = redaction.text(text)
  return {
    seq: frame.seq,
    at: frame.at,
    direction: frame.direction,
    kind: frame.kind,
    text: shown,
    ...(shown === text ? {} : { redacted: true as const }),
    lossy: !isUtf8(bytes),
    truncated: end < bytes.byteLength,
    bytes: bytes.byteLength,
    ...(frame.reason === undefined ? {} : { reason: redaction.text(frame.reason) }),
    ...(frame.http === undefined ? {} : { http: redaction.http(frame.http) }),
  }
}

/** The last place at or before `end` where a UTF-8 character begins. */
function characterStart(bytes: Uint8Array, end: number): number {
  for (let start = end; start > end - 4; start -= 1) {
    if (((bytes[start] ?? 0) & 0xc0) !== 0x80) return start
  }
  return end
}
