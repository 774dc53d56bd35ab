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

const ANSWER_HEAD = /^\{"jsonrpc":"2\.0","id":(?:(-?\d{1,16})|"([^"\\\x80-\xff]*)"),"(?:result|error)":/
/** Ids that are longer than that are not read here. */
const HEAD_BYTES = 128

/** The id in the head of an answer that is written as we write ours; undefined for anything else. */
export function answeredId(bytes: Uint8Array): RequestId | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEAD_BYTES))
  const match = ANSWER_HEAD.exec(head.toString('latin1'))
  if (match === null) return undefined
  return match[1] === undefined ? match[2] : Number(match[1])
}
