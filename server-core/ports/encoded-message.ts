/**
 * The JSON of one message: as text, or as its bytes in UTF-8. Text is what is made first; who sends it encodes it, with
 * others at once where they go out together.
 */
export type EncodedMessage = string | Uint8Array

/** The bytes of a message, in UTF-8. */
export function bytesOf(message: EncodedMessage): Uint8Array {
  return typeof message === 'string' ? Buffer.from(message) : message
}

/** Messages as lines, each with its line feed, and where each ends before that. */
export type EncodedLines = { readonly bytes: Buffer; readonly ends: readonly number[] }

const LINE_FEED = 0x0a
/** Characters that are put together as one text: there is a bound to how long one may be. */
const LONGEST_TEXT = 16 * 1024 * 1024

/** The lines of messages that go out together (transports: stdio). */
export function encodeLines(messages: readonly EncodedMessage[]): EncodedLines {
  const text = textOf(messages)
  if (text !== undefined) {
    const bytes = Buffer.from(text)
    // Every character is one byte: the places of the text are those of the bytes.
    if (bytes.length === text.length) return { bytes, ends: endsOf(messages) }
  }
  const parts = messages.map(bytesOf)
  const bytes = Buffer.allocUnsafe(parts.reduce((length, part) => length + part.length + 1, 0))
  let end = 0
  for (const part of parts) {
    bytes.set(part, end)
    end += part.length
    bytes[end] = LINE_FEED
    end += 1
  }
  return { bytes, ends: endsOf(parts) }
}

function textOf(messages: readonly EncodedMessage[]): string | undefined {
  let text = ''
  for (const message of messages) {
    if (typeof message !== 'string' || text.length + message.length > LONGEST_TEXT) return undefined
    text += `${message}\n`
  }
  return text
}

function endsOf(messages: readonly EncodedMessage[]): number[] {
  const ends: number[] = []
  let next = 0
  for (const { length } of messages) {
    ends.push(next + length)
    next += length + 1
  }
  return ends
}
