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

/** What a frame costs beside its bytes, roughly: thousands of tiny frames must be bounded too. */
const OVERHEAD_BYTES = 256
const HTTP_BYTES = 1_024

/** Bytes of memory that a frame takes once it is folded, roughly. */
export function costOf(byteLength: number, hasHttp: boolean): number {
  return byteLength + OVERHEAD_BYTES + (hasHttp ? HTTP_BYTES : 0)
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
