import type { Frame, HttpFacts, WireDirection } from '../ports/tap.ts'
import type { Connection } from './connection.ts'

/** A frame as it was recorded. */
export type Recorded = {
  readonly connection: Connection
  /** Milliseconds since 1970, with fractions. */
  readonly at: number
  readonly kind: Frame['kind']
  readonly direction: WireDirection
  readonly bytes: Uint8Array
  readonly http: HttpFacts | undefined
  /** Why the bytes are invalid, or what happened to the connection. */
  readonly reason: string | undefined
  /** Of a life event. */
  readonly event: 'opened' | 'closed' | undefined
}

/** The recorded form of a frame that a transport passed to a tap. */
export function recordedOf(connection: Connection, at: number, frame: Frame): Recorded {
  return {
    connection,
    at,
    kind: frame.kind,
    direction: frame.direction,
    bytes: frame.bytes,
    http: 'http' in frame ? frame.http : undefined,
    reason: frame.kind === 'invalid' ? frame.reason : frame.kind === 'lifecycle' ? frame.note : undefined,
    event: frame.kind === 'lifecycle' ? frame.event : undefined,
  }
}
