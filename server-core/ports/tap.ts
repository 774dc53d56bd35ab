/** Who the bytes came from, seen from the process that carries the tap. */
export type WireDirection = 'sent' | 'received'

/** The HTTP facts of a message. `exchange` numbers the HTTP request on its connection. */
export type HttpFacts = {
  readonly exchange: number
  readonly method: string
  readonly url: string
  /** Request headers on the request side, response headers on the response side; names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Only on the response side. */
  readonly status?: number
  /** The message came as one event of a stream: its SSE fields. */
  readonly event?: { readonly id?: string; readonly retry?: number; readonly name?: string }
}

/**
 * One thing seen on a connection. `bytes` is exactly what was read or written, without the transport's own
 * framing (line feed, `data:`); the recorder must not change it and the transport must not reuse it.
 */
export type Frame =
  /** One JSON-RPC message or batch. `parsed` is the value if the transport has it already. */
  | {
      readonly kind: 'message'
      readonly direction: WireDirection
      readonly bytes: Uint8Array
      readonly parsed?: unknown
      readonly http?: HttpFacts
    }
  /** Bytes that are not the expected message; `reason` says why. */
  | {
      readonly kind: 'invalid'
      readonly direction: WireDirection
      readonly bytes: Uint8Array
      readonly reason: string
      readonly http?: HttpFacts
    }
  /** What the child wrote on stderr. */
  | { readonly kind: 'stderr'; readonly direction: 'received'; readonly bytes: Uint8Array }
  /**
   * An HTTP head that carries no message (a GET that opens a stream, a 202, a DELETE). Without a status on the
   * response side the exchange failed, and the bytes say why; a second one on the request side gives it up.
   */
  | {
      readonly kind: 'http'
      readonly direction: WireDirection
      readonly bytes: Uint8Array
      readonly http: HttpFacts
    }
  /** A fault that was made on purpose; the bytes say which, in words. */
  | {
      readonly kind: 'fault'
      readonly direction: 'sent'
      readonly bytes: Uint8Array
      readonly http?: HttpFacts
    }
  /** The connection's life: process started, socket open, closed, exit code or signal. */
  | {
      readonly kind: 'lifecycle'
      readonly direction: WireDirection
      readonly bytes: Uint8Array
      readonly event: 'opened' | 'closed'
      readonly note: string
    }

/**
 * Messages that were read or written as one piece of `bytes`, the first from `start` on: `ends` reports where each ends,
 * behind which a line feed stands.
 */
export type MessageLines = {
  readonly direction: WireDirection
  readonly bytes: Uint8Array
  readonly start: number
  readonly ends: readonly number[]
  /** The value of each, if the transport has them already. */
  readonly values?: readonly unknown[]
}

/**
 * A place where bytes are seen. `record` is on the hot path: it only keeps references and a time, never throws
 * and never waits.
 */
export interface Tap {
  record(frame: Frame): void
  /** The same for messages that came or went as one piece; `recordLines` serves where it is not there. */
  lines?(lines: MessageLines): void
  /**
   * A tap at the same place for one client alone (a WebSocket, an HTTP+SSE session): its ids and its end are its own.
   * Where there is none, all are seen by this one. `transport`: how that client is connected.
   */
  fork?(transport?: 'sse' | 'websocket'): Tap
  /**
   * A tap at the same place for one session of Streamable HTTP, so that other clients do not use up its share. Where
   * there is none, this one sees all sessions.
   */
  session?(): Tap
}

/** A tap that keeps nothing. */
export const NO_TAP: Tap = { record: () => undefined, lines: () => undefined }

/** Shows lines to a tap, one by one if it does not take them together. */
export function recordLines(tap: Tap, lines: MessageLines): void {
  if (tap.lines !== undefined) tap.lines(lines)
  else for (let index = 0; index < lines.ends.length; index += 1) tap.record(frameOf(lines, index))
}

/** The frame of one line. */
export function frameOf(lines: MessageLines, index: number): Frame {
  const { direction, bytes, ends, values } = lines
  const line = bytes.subarray(startOf(lines, index), ends[index])
  const frame = { kind: 'message', direction, bytes: line } as const
  return values === undefined ? frame : { ...frame, parsed: values[index] }
}

/** Where a line begins. */
export function startOf({ start, ends }: MessageLines, index: number): number {
  return index === 0 ? start : (ends[index - 1] ?? 0) + 1
}
