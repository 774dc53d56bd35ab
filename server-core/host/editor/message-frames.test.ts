import fc from 'fast-check'
import { expect, it } from 'vitest'
import { framed, MessageFrames } from './message-frames.ts'

it('gives the messages as they were written, wherever the chunks are cut', () => {
  const texts = fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 6 })
  fc.assert(
    fc.property(texts, fc.array(fc.nat(40), { minLength: 1 }), (messages, cuts) => {
      const bytes = Buffer.from(messages.map(framed).join(''))
      const frames = new MessageFrames(1_000)
      const read: string[] = []
      for (let place = 0, turn = 0; place < bytes.length; turn += 1) {
        const next = place + 1 + (cuts[turn % cuts.length] ?? 0)
        read.push(...frames.push(bytes.subarray(place, next)))
        place = next
      }
      expect(read).toEqual(messages)
    }),
  )
})

it.each([
  ['Content-Length: 11\r\n\r\n', 'a message of 11 bytes; at most 10'],
  ['Content-Type: x\r\n\r\n', 'without a length'],
  ['x'.repeat(5_000), 'not a message'],
])('refuses %j', (text, words) => {
  expect(() => new MessageFrames(10).push(Buffer.from(text))).toThrow(words)
})
