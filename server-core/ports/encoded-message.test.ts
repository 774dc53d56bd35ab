import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeLines } from './encoded-message.ts'

const message = fc.jsonValue().map((value) => JSON.stringify(value))
const encoded = fc.oneof(
  message,
  message.map((text) => new Uint8Array(Buffer.from(text))),
)

test('makes a line of each message, and reports where it ends', () => {
  fc.assert(
    fc.property(fc.array(encoded, { minLength: 1, maxLength: 20 }), (messages) => {
      const { bytes, ends } = encodeLines(messages)
      const texts = messages.map((each) => Buffer.from(each).toString())
      expect(bytes.toString()).toBe(texts.map((text) => `${text}\n`).join(''))
      const starts = [0, ...ends.map((end) => end + 1)]
      expect(ends.map((end, index) => bytes.toString('utf8', starts[index], end))).toEqual(texts)
      expect(starts.at(-1)).toBe(bytes.length)
    }),
  )
})

test('makes lines of messages that are too long for one text', () => {
  const long = JSON.stringify('x'.repeat(9 * 1024 * 1024))
  const { bytes, ends } = encodeLines([long, '1', long])
  expect(ends).toEqual([long.length, long.length + 2, 2 * long.length + 3])
  expect(bytes.equals(Buffer.from(`${long}\n1\n${long}\n`))).toBe(true)
})
