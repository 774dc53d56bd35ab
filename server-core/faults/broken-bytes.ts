import { parseExact, stringifyExact } from '../protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { FaultRule } from './fault-settings.ts'

const NOT_JSON = Buffer.from('<html><body>This is not JSON</body></html>')
const NO_UTF8 = Buffer.of(0xc3, 0x28, 0xff)

/** A message that cannot be read any more, in a frame that is whole. */
export function malformed(
  bytes: Uint8Array,
  how: Extract<FaultRule, { kind: 'malformed' }>['how'],
): Uint8Array {
  switch (how) {
    case 'truncate':
      return bytes.subarray(0, Math.floor((bytes.length * 3) / 4))
    case 'not-json':
      return NOT_JSON
    case 'invalid-utf8':
      return Buffer.concat([bytes.subarray(0, bytes.length - 1), NO_UTF8, bytes.subarray(bytes.length - 1)])
  }
}

/** The same answer under an id that nobody asked with; undefined if it is not an answer. */
export function withWrongId(bytes: Uint8Array): Uint8Array | undefined {
  const message = parseExact(Buffer.from(bytes).toString())
  if (!Array.isArray(message)) return isAnswer(message) ? encoded(wrong(message)) : undefined
  if (!message.some(isAnswer)) return undefined
  return encoded(message.map((each: unknown) => (isAnswer(each) ? wrong(each) : each)))
}

function isAnswer(message: unknown): message is JsonObject {
  return isJsonObject(message) && 'id' in message && ('result' in message || 'error' in message)
}

function wrong(message: JsonObject): JsonObject {
  const { id } = message
  return { ...message, id: typeof id === 'number' ? id + 1_000_003 : `${String(id)}-wrong` }
}

function encoded(message: unknown): Buffer {
  return Buffer.from(stringifyExact(message))
}
