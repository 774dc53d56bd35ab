import type { TransportKind } from '../protocol/transport-kind.ts'
import type {
  JsonRpcError,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResult,
} from '../protocol/messages.ts'
import type { Principal } from '../protocol/principal.ts'
import type { Revision } from '../protocol/revisions.ts'
import type { ServerLink } from './contract.ts'
import type { EncodedMessage } from './encoded-message.ts'

/** Where the messages about one request go. After `answer` or `abandon` nothing more goes there. */
export interface ReplySink {
  /** Sends a message that comes before the answer. */
  emit(bytes: Uint8Array): void
  /** Sends the answer and ends. `status` is the HTTP status, if the reply has not begun as a stream. */
  answer(message: EncodedMessage, status: number): void
  /** Ends without an answer: the request was cancelled. */
  abandon(): void
  /** The reply is a stream of single messages by now: answers to an array go there one by one. */
  readonly streaming?: boolean
  /**
   * Closes the connection of the reply, not the reply: its client comes back for the rest, after `retryMs` milliseconds
   * if given (2025-11-25, Streamable HTTP). Without it the connection is all there is.
   */
  release?(retryMs: number | undefined): void
}

/** What a request brings beside its message, for its handler. */
export type RequestContext = {
  /** HTTP headers in lower case, without the caller's token; empty elsewhere. */
  readonly headers: Readonly<Record<string, string>>
  /** Who the caller's token speaks for, where tokens say so. */
  readonly principal?: Principal
  /** The socket that it came by, where there is one. */
  readonly peer?: Peer
}

/** What a socket knows of its other end. */
export type Peer = { readonly remoteAddress?: string | undefined; readonly remotePort?: number | undefined }

/** Who sent a request, and how. */
export type RequestOrigin = RequestContext & {
  /** Names the caller the same on every connection: two callers that may not see each other's runs differ. */
  readonly caller: string
  /** The routing headers of 2026-07-28 are required and compared with the body. */
  readonly checksHeaders: boolean
}

/** A request that has no answer yet. */
export interface OpenRequest {
  /** Answers it now if it would stay open for as long as the client likes (a subscription); others go on. */
  finish(): void
  /** Ends it without an answer; the handler's signal is aborted. No effect once it was answered. */
  cancel(reason: string): void
}

export type SessionOptions = {
  readonly caller: string
  /** The HTTP session's id. */
  readonly sessionId?: string
  /** How its client comes; Streamable HTTP if not given. */
  readonly transport?: TransportKind
  /** Handles messages that belong to no request of the client. */
  readonly send: (bytes: Uint8Array) => void
  /** Called when the last request in flight was answered. */
  readonly idle?: () => void
}

/** One legacy session, from `initialize` to its end. */
export interface ServerSession {
  /** The revision that was agreed, once `initialize` was answered. */
  readonly revision: string | undefined
  /** Requests that have no answer yet. */
  readonly inFlight: number
  request(message: JsonRpcRequest, carried: RequestContext, sink: ReplySink): void
  notification(message: JsonRpcNotification): void
  /**
   * Serves an array of messages (2025-03-26, batching). `reply` is called once if something will be answered, with an
   * array; it reports whether that is so. Throws a `ProtocolError`, before anything of it is served, if the session's
   * revision has no arrays or this one is malformed.
   */
  batch(items: readonly unknown[], carried: RequestContext, reply: () => ReplySink): boolean
  /** The client's answer to something the server asked. */
  response(message: JsonRpcResult | JsonRpcError): void
  /** The client sends nothing more: what waits for its answers fails. */
  ended(): void
  /** Cancels what is in flight. */
  close(): void
}

/** Who is at the other end of a duplex link, where the transport knows. */
export type LinkOrigin = Pick<RequestOrigin, 'caller' | 'headers' | 'principal' | 'peer'>

/** A connection over a duplex link. */
export type Attachment = {
  /** What was agreed in a handshake, once it was. */
  readonly revision: string | undefined
  /** Requests of the client that have no answer yet. */
  readonly inFlight: number
  /** Those of them that only listen: they last, and nothing runs for them. */
  readonly listening: number
  /** Resolves when the link has ended. */
  readonly closed: Promise<void>
  /**
   * Shuts the connection down: refuses new requests, ends subscriptions with their results, and closes the link once
   * the requests in flight are answered. Their clients can still answer questions and cancel.
   */
  finish(): void
  /** Ends subscriptions with their results, cancels what is in flight, closes the link. */
  close(): Promise<void>
}

/** What a network listener needs of a server. */
export interface ServerPort {
  /** What the server speaks, oldest first. */
  readonly revisions: readonly Revision[]
  /** Serves one request of the modern era. Every fault is answered; nothing is thrown. */
  modernRequest(message: JsonRpcRequest, origin: RequestOrigin, sink: ReplySink): OpenRequest
  /** Handles a notification of the modern era; an unknown one is ignored. */
  modernNotification(message: JsonRpcNotification, origin: RequestOrigin): void
  /** Opens a legacy session, which waits for its `initialize`. */
  openSession(options: SessionOptions): ServerSession
  /** Serves a duplex link (stdio, WebSocket, memory) until it closes. */
  attach(link: ServerLink, origin?: LinkOrigin): Attachment
  /**
   * Serves one legacy request or notification, or an array where the revision has them, without a session: it is independent, its
   * revision is that of its version header (Streamable HTTP: session management). `reply` is called once if something
   * will be answered; the return value says whether that is so. Throws a `ProtocolError` for a method that is never served.
   */
  sessionless(
    posted: JsonRpcRequest | JsonRpcNotification | readonly unknown[],
    carried: RequestContext,
    reply: () => ReplySink,
  ): boolean
}
