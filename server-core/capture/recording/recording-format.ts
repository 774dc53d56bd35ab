import type { Frame, HttpFacts, WireDirection } from '../../ports/tap.ts'
import type { TapSide } from '../exchange.ts'

export const FORMAT = 'patchbay-recording'
export const VERSION = 1

/** How clients reach the server of a connection. */
export const TRANSPORTS = ['stdio', 'http', 'sse', 'websocket', 'memory'] as const
export type TransportName = (typeof TRANSPORTS)[number]

/** Where frames were seen: one connection, or one place of a listener with all clients that have no own. */
export type ConnectionSource = {
  readonly serverName: string
  readonly side: TapSide
  readonly transport: TransportName
}

/** A connection of a recording; they are numbered from 1. */
export type RecordedConnection = ConnectionSource & { readonly number: number }

/** Precedes the bytes of a message that is in its line unchanged; it occurs nowhere else outside of a string. */
export const MESSAGE_MEMBER = ',"message":'
/** Slots of heads: a head holds from its line to the next one of the same number. */
export const HEADS = 16

/** A frame as it comes back from a recording. */
export type RecordedFrame = {
  readonly type: 'frame'
  /** Milliseconds since 1970, with microseconds as fractions. */
  readonly at: number
  readonly connection: RecordedConnection
  readonly kind: Frame['kind']
  /** `sent`: from the client to the server, on either side of the tap. */
  readonly direction: WireDirection
  readonly bytes: Buffer
  /** Without secrets. */
  readonly http?: HttpFacts
  /** Why it is noise, or what happened in the connection's life. */
  readonly reason?: string
  /** Of a life event. */
  readonly event?: 'opened' | 'closed'
  /** The bytes contained secrets; each is `⟨redacted⟩`. */
  readonly masked?: true
}

/** Here frames are missing, because what was to be written could not be kept any longer. */
export type RecordedGap = {
  readonly type: 'gap'
  /** When the first and the last of them were seen: milliseconds since 1970. */
  readonly from: number
  readonly until: number
  readonly frames: number
  readonly bytes: number
}

/** The end of the file. */
export type RecordingEnd = {
  readonly type: 'end'
  /** The recorder was closed; else its process was ended before, or still writes. */
  readonly closed: boolean
  /** Bytes of a last line that was not written whole. */
  readonly tornBytes: number
}

export type RecordingEntry = RecordedFrame | RecordedGap | RecordingEnd
