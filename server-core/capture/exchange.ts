/** Which side of the connection the tap sits on. */
export type TapSide = 'client' | 'server'

/** A stretch of time in milliseconds since 1970, with fractions; without an end it goes on. */
export type Span = { startedAt: number; endedAt?: number | undefined }

/**
 * A row of the timeline: an exchange (a request and everything until its result), or a thing of its own: a
 * notification, lines on stderr, invalid bytes, an HTTP request without a message, a lifecycle event. Texts are safe to show.
 */
export type Exchange = {
  /** Stays the same while the row grows. */
  id: string
  /** The exchange it belongs to: progress of a call, a server's question inside it. May be dropped before it. */
  parentId?: string | undefined
  serverId: string
  serverName: string
  /** `client`: our client talks to that server; `server`: that server is ours and somebody talks to it. */
  side: TapSide
  kind: 'request' | 'notification' | 'stderr' | 'invalid' | 'http' | 'lifecycle' | 'fault'
  /** `sent`: from the client to the server, on either side of the tap. */
  direction: 'sent' | 'received'
  method: string
  /** What it is about: the tool's name, the URI, the first words of a log line. At most 200 characters. */
  label: string
  startedAt: number
  endedAt?: number | undefined
  outcome: 'open' | 'ok' | 'error' | 'tool-error' | 'cancelled' | 'lost' | 'none'
  /** A JSON-RPC error code, or the HTTP status where an HTTP error was the answer. */
  errorCode?: number | undefined
  errorMessage?: string | undefined
  /** Bytes of all its frames. A frame that belongs to several rows counts in each. */
  bytes: number
  /** Sequence numbers of its frames, in time; at most 1,000, after which a new row begins. */
  frames: number[]
  /** How many notifications of one kind, or lines of stderr, a row stands for. */
  count: number
  /** How often the client sent the request, if more than once (`input_required` and its retries). */
  rounds?: number | undefined
  /** When the exchange waited for the side that asked, to answer the other side's questions. */
  waits?: Span[] | undefined
  /** The newest progress of the request. */
  progress?: { value: number; total?: number | undefined } | undefined
  /** How many frames of rows inside it were dropped to keep within the bounds. */
  dropped?: number | undefined
  /** Patchbay sent it by itself to learn which revisions the server supports; an error is an answer like others. */
  probe?: true | undefined
  /** Patchbay was started since: its connection has ended. */
  earlierRun?: true | undefined
  /** The faults that Patchbay injected into it, in words. */
  faults?: string[] | undefined
  /** When the notifications a row stands for came, if more than one; thinned evenly to at most 64. */
  instants?: number[] | undefined
}

/** One frame, whole or in part. */
export type FrameView = {
  seq: number
  at: number
  /** `sent`: from the client to the server, on either side of the tap. */
  direction: 'sent' | 'received'
  kind: 'message' | 'invalid' | 'stderr' | 'http' | 'lifecycle' | 'fault'
  /** The bytes as UTF-8 text; `lossy` if they are not valid UTF-8. At most 256 KiB unless the whole was asked for. */
  text: string
  lossy: boolean
  truncated: boolean
  /** The bytes contained secrets; in the text each is `⟨redacted⟩`. */
  redacted?: true | undefined
  /** Length of the whole frame. */
  bytes: number
  /** Why it is invalid, or what happened to the connection. */
  reason?: string | undefined
  http?: HttpView | undefined
}

/** The HTTP facts beside a frame. Secrets are replaced before they are kept. */
export type HttpView = {
  exchange: number
  method: string
  url: string
  status?: number | undefined
  headers: { name: string; value: string }[]
  event?: { id?: string | undefined; retry?: number | undefined; name?: string | undefined } | undefined
}

/** How much is kept, and what no longer is. */
export type TrafficCounts = {
  /** Frames kept. */
  frames: number
  /** Bytes of the frames kept, as they were on the wire. */
  bytes: number
  /** Frames that are no longer kept because a bound was reached. */
  dropped: number
  /** The servers whose frames were dropped, if any were. */
  droppedOf?: { serverId: string; serverName: string; side: TapSide; dropped: number }[] | undefined
}

/** A row that is read when it is needed, in its newest state. It is the same object as long as it is stored. */
export interface ShownRow {
  /** It is no longer stored. */
  readonly isDropped: boolean
  read(): Exchange
}

/** What happened since the last change, merged. */
export type TrafficChange = {
  /** Everything before this change was dropped, except `rows`. */
  cleared: boolean
  /** New and changed rows, each once, in time order. */
  rows: ShownRow[]
  /** Ids of rows that were read before and are no longer stored. */
  removed: string[]
  counts: TrafficCounts
}
