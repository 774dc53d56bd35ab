import { countText } from './count-text.ts'
import { ErrorCode, ProtocolError } from './errors.ts'
import { overLimit } from './limit-error.ts'
import type { Limits } from './limits.ts'
import { messageOf } from './error-message.ts'

/** A parsed message, or the error that describes why it is invalid. */
export type ParsedMessage =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: ProtocolError }

type ParseLimits = Pick<Limits, 'messageBytes' | 'depth' | 'members'>
type ClientParseLimits = ParseLimits & Pick<Limits, 'keys'>

/** Bytes of a string that are looked at one by one: most strings are short. */
const NEAR = 64
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

// Fatal, and it drops a leading byte order mark, which RFC 8259 lets a parser ignore.
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads the bytes of one JSON text (JSON-RPC 2.0; MCP base protocol: messages are UTF-8 JSON). Size, depth and
 * number of members are bounded before `JSON.parse` sees the text. Never throws: what cannot be read comes back as
 * the error to answer with, `parseError` for bytes that are not JSON and `invalidRequest` for a bound of `limits`.
 *
 * @example
 * ```ts
 * import { limitsOf, parseMessage } from 'patchbay/protocol'
 *
 * const bytes = new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"ping"}')
 * const parsed = parseMessage(bytes, limitsOf())
 * console.log(parsed.ok ? parsed.value : parsed.error.message)
 * ```
 */
export function parseMessage(bytes: Uint8Array, limits: ParseLimits): ParsedMessage {
  return parse(bytes, limits, Infinity)
}

/** Parses the bytes of one JSON text that a client sent to our own server; bounded in `keys` too. */
export function parseFromClient(bytes: Uint8Array, limits: ClientParseLimits): ParsedMessage {
  return parse(bytes, limits, limits.keys)
}

function parse(bytes: Uint8Array, limits: ParseLimits, maxKeys: number): ParsedMessage {
  if (bytes.length > limits.messageBytes) {
    const { messageBytes } = limits
    const reason = `the message has ${countText(bytes.length)} bytes, more than ${countText(messageBytes)}`
    return { ok: false, error: overLimit('messageBytes', messageBytes, reason) }
  }
  // JSON of n bytes is nested at most n / 2 deep and has at most n members: small messages need no scan.
  if (bytes.length > 2 * limits.depth || bytes.length > limits.members || bytes.length > maxKeys) {
    const overrun = scan(bytes, limits, maxKeys)
    if (overrun !== undefined) return { ok: false, error: overrun }
  }
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return refuse('Parse error: the message is not valid UTF-8')
  }
  try {
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch (error) {
    const reason = messageOf(error)
    return refuse(`Parse error: ${text === '' ? 'the message is empty' : reason}`)
  }
}

/**
 * Looks for the bound that the text passes, without building anything. Bytes of multi-byte characters are all
 * above 0x7F, so structure can be read from bytes. Text that is not JSON may be counted wrongly; `JSON.parse`
 * refuses it afterwards.
 */
function scan(bytes: Uint8Array, limits: ParseLimits, maxKeys: number): ProtocolError | undefined {
  let depth = 0
  let keys = 0
  let members = 0
  for (let index = 0; index < bytes.length; index += 1) {
    switch (bytes[index]) {
      case QUOTE:
        index = endOfString(bytes, index + 1)
        break
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth += 1
        members += 1
        if (depth > limits.depth) return tooDeep(limits)
        if (members > limits.members) return tooMany(limits)
        break
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1
        break
      case COMMA:
        members += 1
        if (members > limits.members) return tooMany(limits)
        break
      case COLON:
        keys += 1
        if (keys > maxKeys) {
          return overLimit('keys', maxKeys, `the objects of the message have more than ${maxKeys} members`)
        }
        break
      default:
    }
  }
  return undefined
}

/** The place of the quote that ends the string whose text starts at `from`; the length of the bytes if none does. */
function endOfString(bytes: Uint8Array, from: number): number {
  let start = from
  while (start < bytes.length) {
    // Short strings, and those with many escapes, are read byte by byte; a search costs more than some bytes.
    for (const near = Math.min(start + NEAR, bytes.length); start < near; start += 1) {
      const byte = bytes[start]
      if (byte === QUOTE) return start
      if (byte === BACKSLASH) start += 1
    }
    const quote = bytes.indexOf(QUOTE, start)
    if (quote === -1) return bytes.length
    let backslashes = 0
    for (let before = quote - 1; before >= start && bytes[before] === BACKSLASH; before -= 1) backslashes += 1
    if (backslashes % 2 === 0) return quote
    start = quote + 1
  }
  return bytes.length
}

function tooDeep({ depth }: ParseLimits): ProtocolError {
  return overLimit('depth', depth, `the message is nested deeper than ${depth}`)
}

function tooMany({ members }: ParseLimits): ProtocolError {
  return overLimit('members', members, `the message has more than ${members} members`)
}

function refuse(message: string): ParsedMessage {
  return { ok: false, error: new ProtocolError(ErrorCode.parseError, message) }
}
