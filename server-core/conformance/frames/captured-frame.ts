import type { WireTransport } from '../../protocol/transport-kind.ts'
import type { Frame, HttpFacts } from '../../ports/tap.ts'
import type { Revision } from '../../protocol/revisions.ts'
import type { Side } from '../catalogue/catalogue.ts'

/** One thing seen on a connection: a message, invalid bytes, an HTTP head, stderr, or its start and end. */
export type CapturedFrame = {
  /** Counts the frames of one run. */
  readonly index: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly connection: CapturedConnection
  readonly kind: Frame['kind']
  /** The side that wrote the bytes. */
  readonly from: Side
  readonly bytes: Uint8Array
  /** The parsed JSON of a message. */
  readonly value: unknown
  readonly http: HttpFacts | undefined
  /** Why the bytes are invalid, or what happened to the connection. */
  readonly reason: string | undefined
}

/** A connection between a client and a server, as far as a check needs to know it. */
export type CapturedConnection = {
  readonly number: number
  /** Counts the checks of a run: connections of one check have the same. One number for a whole recording. */
  readonly run: number
  readonly transport: WireTransport
  /** The revision agreed on; undefined while it is unknown. */
  revision: Revision | undefined
}
