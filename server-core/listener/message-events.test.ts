import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MessageEvents } from './message-events.ts'
import { SseParser, type SseEvent } from '../transports/http/sse-codec.ts'

const MESSAGES = ['{"a":1}', '{"a":\n2}', '{"b":"é"}'].map((text) => Buffer.from(text))

test('keeps nothing of a long message', () => {
  const events = new MessageEvents()
  const long = Buffer.alloc(100_000, 'x')
  expect(events.of(long, undefined, undefined)).not.toBe(events.of(long, undefined, undefined))
  const [short] = MESSAGES
  if (short === undefined) return
  const kept = events.of(short, undefined, undefined)
  events.of(long, undefined, undefined)
  expect(events.of(short, undefined, undefined)).toBe(kept)
})

test('gives the event of each message with its id and its name, whatever came before', () => {
  const event = fc.record({
    message: fc.constantFrom(...MESSAGES),
    id: fc.constantFrom(undefined, '0-1', '0-2'),
    name: fc.constantFrom(undefined, 'message', 'other'),
  })
  fc.assert(
    fc.property(fc.array(event), (wanted) => {
      const events = new MessageEvents()
      const read: SseEvent[] = []
      const parser = new SseParser(1_024, (each) => read.push(each))
      for (const { message, id, name } of wanted) parser.push(events.of(message, id, name))
      expect(read).toEqual(
        wanted.map(({ message, id, name = 'message' }) => ({
          name,
          data: message,
          ...(id === undefined ? {} : { id }),
        })),
      )
    }),
  )
})
