import { randomFillSync } from 'node:crypto'
import { SLICE_BYTES } from '../outgoing.ts'

const TEXT = 0x1
const BINARY = 0x2
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

/** The frames of one message from a client, which are masked (RFC 6455, 5.3): one, or fragments if it is long. */
export function maskedFrames(payload: Uint8Array, kind: 'text' | 'binary' = 'text'): Buffer[] {
  const frames: Buffer[] = []
  for (let start = 0; start === 0 || start < payload.length; start += SLICE_BYTES) {
    const end = Math.min(start + SLICE_BYTES, payload.length)
    const opcode = start > 0 ? CONTINUATION : kind === 'text' ? TEXT : BINARY
    frames.push(maskedFrame(opcode | (end === payload.length ? FINAL : 0), payload.subarray(start, end)))
  }
  return frames
}

/** One frame without a mask, which only clients use. */
function frame(first: number, payload: Uint8Array): Buffer {
  const head = headLength(payload.length)
  const bytes = Buffer.allocUnsafe(head + payload.length)
  writeHead(bytes, first, payload.length, 0)
  bytes.set(payload, head)
  return bytes
}

function maskedFrame(first: number, payload: Uint8Array): Buffer {
  const { length } = payload
  const head = headLength(length)
  const bytes = Buffer.allocUnsafe(head + MASK_BYTES + length)
  writeHead(bytes, first, length, MASKED)
  const mask = nextMask()
  bytes.set(mask, head)
  const start = head + MASK_BYTES
  const [m0 = 0, m1 = 0, m2 = 0, m3 = 0] = mask
  const whole = length - (length % MASK_BYTES)
  for (let index = 0; index < whole; index += MASK_BYTES) {
    bytes[start + index] = (payload[index] ?? 0) ^ m0
    bytes[start + index + 1] = (payload[index + 1] ?? 0) ^ m1
    bytes[start + index + 2] = (payload[index + 2] ?? 0) ^ m2
    bytes[start + index + 3] = (payload[index + 3] ?? 0) ^ m3
  }
  for (let index = whole; index < length; index += 1)
    bytes[start + index] = (payload[index] ?? 0) ^ (mask[index - whole] ?? 0)
  return bytes
}

const MASK_BYTES = 4
const MASKED = 0x80
const MASK_POOL_BYTES = 8 * 1024
let masks = Buffer.alloc(0)
let usedMasks = 0

/** A mask that nobody can foretell; random bytes are drawn for many at once. */
function nextMask(): Uint8Array {
  if (usedMasks >= masks.length) {
    masks = randomFillSync(Buffer.allocUnsafe(MASK_POOL_BYTES))
    usedMasks = 0
  }
  const mask = masks.subarray(usedMasks, usedMasks + MASK_BYTES)
  usedMasks += MASK_BYTES
  return mask
}

function headLength(length: number): number {
  return length < 126 ? 2 : length < 0x1_0000 ? 4 : 10
}

function writeHead(bytes: Buffer, first: number, length: number, masked: number): void {
  bytes[0] = first
  if (length < 126) bytes[1] = masked | length
  else if (length < 0x1_0000) {
    bytes[1] = masked | 126
    bytes.writeUInt16BE(length, 2)
  } else {
    bytes[1] = masked | 127
    bytes.writeUInt32BE(0, 2)
    bytes.writeUInt32BE(length, 6)
  }
}
