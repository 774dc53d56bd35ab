import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FrameReader, frameOf, TOKEN_BYTES } from './message-frame.ts'

const TOKEN = Buffer.alloc(TOKEN_BYTES, 7)

/** What a reader makes of chunks: the messages, and what was wrong. */
function read(chunks: readonly Buffer[], reader = new FrameReader(TOKEN, 10_000)) {
  const messages: unknown[] = []
  for (const chunk of chunks) {
    const fault = reader.push(chunk, (message) => messages.push(message))
    if (fault !== undefined) return { messages, fault }
  }
  return { messages, waitsFor: reader.waitsFor }
}

it('brings messages over whole, wherever the stream is cut', () => {
  const message = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true })
  fc.assert(
    fc.property(fc.array(message, { maxLength: 5 }), fc.array(fc.nat(400)), (messages, cuts) => {
      const stream = Buffer.concat(messages.map((each) => frameOf(each, TOKEN)))
      const at = [0, ...cuts.filter((cut) => cut < stream.length).toSorted((a, b) => a - b), stream.length]
      const chunks = at.slice(1).map((end, index) => stream.subarray(at[index], end))
      expect(read(chunks)).toEqual({ messages: messages.map((each) => structuredClone(each)) })
    }),
  )
})

it('takes the token of the first message as that of all, and answers with it', () => {
  const reader = new FrameReader()
  expect(read([frameOf('first', TOKEN), frameOf('second', TOKEN)], reader).messages).toEqual([
    'first',
    'second',
  ])
  expect(reader.token).toEqual(TOKEN)
  expect(read([frameOf('forged', Buffer.alloc(TOKEN_BYTES))], reader).fault).toBe(
    'sent bytes that are not a message',
  )
})

it.each([
  ['text', Buffer.from('garbage that is not a message at all\n'), 'sent bytes that are not a message'],
  ['a message without the token', frameOf({ type: 'ready' }, undefined), 'sent bytes that are not a message'],
  [
    'a long message',
    frameOf('x'.repeat(10_001), TOKEN),
    'sent a message of 10006 bytes; at most 10000 are read',
  ],
  [
    'what V8 did not serialize',
    Buffer.concat([Buffer.from([0, 0, 0, 4]), TOKEN, Buffer.from([1, 2, 3, 4])]),
    'sent a message that cannot be deserialized',
  ],
])('says what is wrong with %s, after the messages before it', (_, bytes, fault) => {
  const stream = Buffer.concat([frameOf('before', TOKEN), bytes])
  expect(read([stream])).toEqual({ messages: ['before'], fault })
  expect(read(Array.from(stream, (byte) => Buffer.from([byte]))).fault).toBe(fault)
})

it('reports which part of a message it waits for', () => {
  const frame = frameOf('message', TOKEN)
  expect(read([frame.subarray(0, 3)]).waitsFor).toBe('head')
  expect(read([frame.subarray(0, 22)]).waitsFor).toBe('body')
  expect(read([frame.subarray(0, 3), frame.subarray(3)]).waitsFor).toBeUndefined()
})

it('sends nothing longer than may be sent', () => {
  expect(() => frameOf('x'.repeat(100), TOKEN, 50)).toThrow('at most 50 are sent')
})
