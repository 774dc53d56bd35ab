import type { TransportKind } from '../../protocol/transport-kind.ts'
import type { HttpFacts, WireDirection } from '../../ports/tap.ts'
import type { TapSide } from '../exchange.ts'

export const FORMAT = 'patchbay-recording'
/** The version that is written. All versions up to it are read. */
export const VERSION = 2

/** Where frames were seen: one connection, or one place of a listener with all clients that have no own. */
export type ConnectionSource = {
  readonly serverName: string
  readonly side: TapSide
  readonly transport: TransportKind
}

/** A connection of a recording; they are numbered from 1. */
export type RecordedConnection = ConnectionSource & { readonly number: number }

export const FRAME_KINDS = ['message', 'invalid', 'stderr', 'http', 'lifecycle', 'fault'] as const
export type RecordedKind = (typeof FRAME_KINDS)[number]

/** Precedes the bytes of a message that is in its line unchanged; it occurs nowhere else outside of a string. */
export const MESSAGE_MEMBER = ',"message":'
/** Slots of heads: a head holds from its line to the next one of the same number. */
export const HEADS = 16
/** Characters of a name, an id of a check or a verdict. */
export const NAME_CHARACTERS = 1_000
/** Characters of the text of a mark or a comment. */
export const TEXT_CHARACTERS = 100_000

/** What the first line of a recording says. */
export type RecordingHeader = {
  readonly version: number
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** In a recording that is stored in several files: the number of this one, from 1. */
  readonly segment?: number
}

/** A frame as it comes back from a recording. */
export type RecordedFrame = {
  readonly type: 'frame'
  /** Milliseconds since 1970, with microseconds as fractions. */
  readonly at: number
  readonly connection: RecordedConnection
  readonly kind: RecordedKind
  /** `sent`: from the client to the server, on either side of the tap. */
  readonly direction: WireDirection
  readonly bytes: Buffer
  /** Without secrets. */
  readonly http?: HttpFacts
  /** Why the bytes are invalid, or what happened to the connection. */
  readonly reason?: string
  /** Of a lifecycle frame. */
  readonly event?: 'opened' | 'closed'
  /** The bytes contained secrets; each is `⟨redacted⟩`. */
  readonly masked?: true
}

/** Names a moment, or where a section begins or ends: a step of a test, a check of a conformance run. */
export type Mark = {
  readonly name: string
  /** The mark begins or ends the section of that name; else it is a moment. */
  readonly phase?: 'begin' | 'end'
  /** The id of the check that the section belongs to. */
  readonly check?: string
  /** What was found, in the words of whoever set the mark, such as `passed` or `failed`. */
  readonly verdict?: string
  readonly text?: string
}

/** A mark as it comes back; `at` is the moment it is about, in milliseconds since 1970. */
export type RecordedMark = Mark & { readonly type: 'mark'; readonly at: number }

/** A remark of a person about a moment. */
export type RecordedComment = { readonly type: 'comment'; readonly at: number; readonly text: string }

/** Here frames are missing, because what was to be written could not be kept any longer. */
export type RecordedGap = {
  readonly type: 'gap'
  /** When the first and the last of them were seen: milliseconds since 1970. */
  readonly from: number
  readonly until: number
  readonly frames: number
  readonly bytes: number
}

/** A line that cannot be read; reading goes on behind it. */
export type RecordedDamage = {
  readonly type: 'damage'
  /** The number of the line, from 1. */
  readonly line: number
  readonly bytes: number
  readonly reason: string
}

/** The end of the file. */
export type RecordingEnd = {
  readonly type: 'end'
  /** The recorder was closed; else its process was ended before, or still writes. */
  readonly closed: boolean
  /** Bytes of a last line that was not written whole. */
  readonly tornBytes: number
}

export type RecordingEntry =
  RecordedFrame | RecordedMark | RecordedComment | RecordedGap | RecordedDamage | RecordingEnd
