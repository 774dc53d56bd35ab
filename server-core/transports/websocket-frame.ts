import { SLICE_BYTES } from './outgoing.ts'

const TEXT = 0x1
const CONTINUATION = 0x0
const FINAL = 0x80

let lastPayload: Uint8Array | undefined
let lastFrames: readonly Buffer[] = []

/**
 * The frames of one text message from a server (RFC 6455, 5.2): one, or fragments if it is long, so that a slow
 * reader's progress is seen and pings get through. A message that goes to many readers is framed once.
 */
export function textFrames(payload: Uint8Array): readonly Buffer[] {
  if (payload === lastPayload) return lastFrames
  const frames: Buffer[] = []
  for (let start = 0; start === 0 || start < payload.length; start += SLICE_BYTES) {
    const end = Math.min(start + SLICE_BYTES, payload.length)
    const opcode = (start === 0 ? TEXT : CONTINUATION) | (end === payload.length ? FINAL : 0)
    frames.push(frame(opcode, payload.subarray(start, end)))
  }
  // A long message is not kept in memory for the little it saves.
  lastPayload = frames.length === 1 ? payload : undefined
  lastFrames = frames.length === 1 ? frames : []
  return frames
}

/** One frame without a mask, which only clients use. */
function frame(first: number, payload: Uint8Array): Buffer {
  const { length } = payload
  const head = length < 126 ? 2 : length < 0x1_0000 ? 4 : 10
  const bytes = Buffer.allocUnsafe(head + length)
  bytes[0] = first
  if (head === 2) bytes[1] = length
  else if (head === 4) {
    bytes[1] = 126
    bytes.writeUInt16BE(length, 2)
  } else {
    bytes[1] = 127
    bytes.writeUInt32BE(0, 2)
    bytes.writeUInt32BE(length, 6)
  }
  bytes.set(payload, head)
  return bytes
}
