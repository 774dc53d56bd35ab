import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SLICE_BYTES } from '../outgoing.ts'
import { maskedFrames, textFrames } from './websocket-frame.ts'

/** Reads frames back: first byte and payload of each. */
function read(bytes: Buffer): { first: number; payload: Buffer }[] {
  const frames = []
  for (let at = 0; at < bytes.length;) {
    const short = bytes.readUInt8(at + 1)
    const head = short < 126 ? 2 : short === 126 ? 4 : 10
    const length =
      short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2))
    frames.push({ first: bytes.readUInt8(at), payload: bytes.subarray(at + head, at + head + length) })
    at += head + length
  }
  return frames
}

describe('textFrames', () => {
  it('gives one final text frame for a short message, whatever its length', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70_000, size: 'max' }), (payload) => {
        const [frame, ...more] = read(Buffer.concat(textFrames(payload)))
        expect(more).toEqual([])
        expect(frame?.first).toBe(0x81)
        expect(Buffer.compare(frame?.payload ?? Buffer.of(), payload)).toBe(0)
      }),
    )
  })

  it.each([SLICE_BYTES, SLICE_BYTES + 1, SLICE_BYTES * 3, SLICE_BYTES * 3 + 5])(
    'cuts a message of %i bytes into fragments of which the last is final',
    (length) => {
      const payload = Buffer.alloc(length, 'abc')
      const frames = read(Buffer.concat(textFrames(payload)))
      const count = Math.ceil(length / SLICE_BYTES)
      const firsts = Array.from({ length: count }, (_, index): number => (index === 0 ? 1 : 0))
      firsts[count - 1] = (firsts[count - 1] ?? 0) | 0x80
      expect(frames.map(({ first }) => first)).toEqual(firsts)
      expect(Buffer.concat(frames.map(({ payload: part }) => part)).equals(payload)).toBe(true)
    },
  )

  it('frames a message for many readers once', () => {
    const payload = Buffer.from('{}')
    const first = textFrames(payload)
    expect(textFrames(payload)).toBe(first)
    expect(textFrames(Buffer.from('{}'))).not.toBe(first)
  })
})

/** Reads the frames of a client back and takes their masks off. */
function unmasked(frames: readonly Buffer[]): { first: number; mask: number; payload: Buffer }[] {
  return frames.map((frame) => {
    expect((frame[1] ?? 0) & 0x80).toBe(0x80)
    const plain = Buffer.from(frame)
    plain.writeUInt8((frame[1] ?? 0) & 0x7f, 1)
    const short = plain.readUInt8(1)
    const head = short < 126 ? 2 : short === 126 ? 4 : 10
    const mask = frame.subarray(head, head + 4)
    const payload = Buffer.from(frame.subarray(head + 4)).map((byte, index) => byte ^ (mask[index % 4] ?? 0))
    const length =
      short < 126 ? short : short === 126 ? plain.readUInt16BE(2) : Number(plain.readBigUInt64BE(2))
    expect(payload.length).toBe(length)
    return { first: plain.readUInt8(0), mask: mask.readUInt32BE(0), payload: Buffer.from(payload) }
  })
}

describe('maskedFrames', () => {
  it('gives one final frame for a short message, text or binary, under a mask', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70_000, size: 'max' }), fc.boolean(), (payload, isText) => {
        const [frame, ...more] = unmasked(maskedFrames(payload, isText ? 'text' : 'binary'))
        expect(more).toEqual([])
        expect(frame?.first).toBe(isText ? 0x81 : 0x82)
        expect(Buffer.compare(frame?.payload ?? Buffer.of(), payload)).toBe(0)
      }),
    )
  })

  it('cuts a long message into fragments, each under another mask', () => {
    const payload = Buffer.alloc(2 * SLICE_BYTES + 1, 'é')
    const frames = unmasked(maskedFrames(payload))
    expect(frames.map(({ first }) => first)).toEqual([0x01, 0x00, 0x80])
    expect(Buffer.concat(frames.map((frame) => frame.payload)).equals(payload)).toBe(true)
    expect(new Set(frames.map(({ mask }) => mask)).size).toBe(3)
  })
})
