import { isJsonObject } from '../protocol/json.ts'
import { isRequestId, type RequestId } from '../protocol/messages.ts'
import type { Frame, HttpFacts, WireDirection } from '../transports/tap.ts'
import type { Connection } from './connection.ts'

/** A frame as it was recorded: nothing was done with it yet. */
export type Recorded = {
  readonly connection: Connection
  /** Milliseconds since 1970, with fractions. */
  readonly at: number
  readonly kind: Frame['kind']
  readonly direction: WireDirection
  readonly bytes: Uint8Array
  readonly http: HttpFacts | undefined
  /** The parsed value of a message, if somebody is there to read it soon; otherwise it is parsed again. */
  readonly parsed: unknown
  /** Why it is noise, or what happened in the connection's life. */
  readonly reason: string | undefined
  /** Of a life event. */
  readonly event: 'opened' | 'closed' | undefined
  /** The id of a request that nobody watches. */
  readonly asks?: RequestId | undefined
}

/** A frame that is a message. */
export type MessageFrame = Extract<Frame, { readonly kind: 'message' }>

/** What a frame costs beside its bytes, roughly: thousands of tiny frames must be bounded too. */
const OVERHEAD_BYTES = 256
const HTTP_BYTES = 1_024

/** Bytes of memory that a frame takes once it is folded, roughly. */
export function costOf(bytes: Uint8Array, http: HttpFacts | undefined): number {
  return bytes.byteLength + OVERHEAD_BYTES + (http === undefined ? 0 : HTTP_BYTES)
}

/** A frame as a transport gave it, with what is asked of it later. */
export function recordedOf(connection: Connection, at: number, frame: Frame, parsed: unknown): Recorded {
  return {
    connection,
    at,
    kind: frame.kind,
    direction: frame.direction,
    bytes: frame.bytes,
    http: 'http' in frame ? frame.http : undefined,
    parsed,
    reason: frame.kind === 'noise' ? frame.reason : frame.kind === 'life' ? frame.note : undefined,
    event: frame.kind === 'life' ? frame.event : undefined,
  }
}

/** The id by which a message waits for an answer, if it is a request. */
export function askedId(parsed: unknown): RequestId | undefined {
  if (!isJsonObject(parsed) || parsed['method'] === undefined) return undefined
  const id = parsed['id']
  return isRequestId(id) ? id : undefined
}

const ANSWER_HEAD = Buffer.from('{"jsonrpc":"2.0","id":')
const HEAD_BYTES = ANSWER_HEAD.length
/** Where messages of other kinds differ first. */
const ID_AT = HEAD_BYTES - 3
const ZERO = 0x30
const COMMA = 0x2c
/** The first letters of the member that follows the id. */
const RESULT = 0x72
const ERROR = 0x65
/** Digits of an id that may be beyond the whole numbers of a double. */
const LONGEST_ID = 16

/** The id in the head of an answer that is written as we write ours, if it is a number; undefined for all else. */
export function answeredId(bytes: Uint8Array): number | undefined {
  const end = bytes.byteLength
  if (end < HEAD_BYTES || bytes[ID_AT] !== ANSWER_HEAD[ID_AT]) return undefined
  let at = 0
  for (; at < HEAD_BYTES; at += 1) if (bytes[at] !== ANSWER_HEAD[at]) return undefined
  const first = at
  let id = 0
  for (; at < end; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO
    if (digit < 0 || digit > 9) break
    id = id * 10 + digit
  }
  const isNumber = at > first && at - first < LONGEST_ID && bytes[at] === COMMA
  const member = bytes[at + 2]
  return isNumber && (member === RESULT || member === ERROR) ? id : undefined
}
