import { CodedError } from '../protocol/coded-error.ts'
import type { ProtocolError } from '../protocol/errors.ts'
import type { JsonRpcMessage, RequestId } from '../protocol/messages.ts'
import type { TransportKind } from '../protocol/transport-kind.ts'
import type { EncodedMessage } from './encoded-message.ts'

/** Why a transport failed or ended; each has its own evidence so that the cause can be shown at once. */
export type TransportErrorCode =
  /** The command is not there, or not executable. */
  | 'spawn-failed'
  /** The process ended. */
  | 'process-exited'
  /** The process lives, but closed its stdout or stdin, so that no message can pass. */
  | 'pipe-closed'
  /** The socket was refused, reset, or the name not found. */
  | 'connection-failed'
  /** TLS: the certificate is not accepted. */
  | 'certificate'
  /** An HTTP status that is not an answer to the message. */
  | 'http-status'
  /** HTTP 401 or 403. */
  | 'unauthorized'
  /** The server checks the Host or Origin of requests and does not accept ours (HTTP 403 or 421). */
  | 'host-refused'
  /** A body or line that is not a JSON-RPC message. */
  | 'not-mcp'
  /** A bound of `Limits` was passed. */
  | 'limit'
  /** The peer does not read. */
  | 'stalled'
  /** We closed it. */
  | 'closed'

/** Facts about a failure, as far as the transport knows them. */
export type TransportEvidence = {
  /** The whole command line. */
  readonly command?: string
  /** The command without its arguments. */
  readonly program?: string
  /** The folder the process starts in. */
  readonly folder?: string
  /** What keeps `folder` from being one to start in. */
  readonly folderProblem?: 'missing' | 'not-a-folder'
  /** The other machine that the program was made for, such as `Linux on arm64`. */
  readonly madeFor?: string
  /** What runs the program, as it names it itself, and is not there. */
  readonly interpreter?: string
  /** Arguments that look like paths and count from `folder`. */
  readonly relativePaths?: readonly string[]
  readonly pid?: number
  readonly exitCode?: number
  readonly signal?: string
  /** The last bytes of stderr as text. */
  readonly stderr?: string
  /** The first stdout line that was not a message, at most 2 KiB. */
  readonly strayOutput?: string
  readonly url?: string
  readonly httpStatus?: number
  readonly httpHeaders?: Readonly<Record<string, string>>
  /** The beginning of an HTTP body, at most 8 KiB. */
  readonly httpBody?: string
  /** How a WebSocket was closed (RFC 6455, 7.4), and the reason that came with it. */
  readonly closeCode?: number
  readonly closeReason?: string
  /** A system error code such as ECONNREFUSED or ENOENT. */
  readonly systemCode?: string
  /** Milliseconds between start and failure. */
  readonly afterMs?: number
}

/** The error type of this layer. `message` names what was expected, what came and what to do. */
export class TransportError extends CodedError<TransportErrorCode> {
  override readonly name = 'TransportError'
  readonly evidence: TransportEvidence

  constructor(
    code: TransportErrorCode,
    message: string,
    evidence: TransportEvidence = {},
    options?: ErrorOptions,
  ) {
    super(code, message, options)
    this.evidence = evidence
  }
}

/** A message as it was read: the parsed value and the bytes it was parsed from. */
export type Incoming = {
  readonly value: unknown
  readonly bytes: Uint8Array
  /** The HTTP status it came with; missing where there is none. */
  readonly httpStatus?: number
  /** The HTTP headers it came with; missing where there are none. */
  readonly httpHeaders?: Readonly<Record<string, string>>
}

/** What a client transport tells its user. Calls never overlap and never throw back into the transport. */
export interface ClientReceiver {
  /** Any JSON value that came, valid as JSON-RPC or not. */
  message(incoming: Incoming): void
  /** Something that was not JSON; the connection goes on. */
  invalid(bytes: Uint8Array, reason: string): void
  /** This request gets no answer any more (its HTTP exchange failed); the connection goes on. */
  requestFailed(id: RequestId, error: TransportError): void
  /** Requests wait for an authorization, maybe for a person: no time limit runs until the function it gives is called. */
  held?(): () => void
  /** The transport ended, by itself or by `close`. Comes exactly once. */
  closed(error: TransportError): void
}

export type SendOptions = {
  /** The revision the message is written in; undefined while a handshake is under way. */
  readonly revision?: string
  /** Extra HTTP headers of this message; ignored where there are none. */
  readonly headers?: Readonly<Record<string, string>>
}

/** How bytes are sent as they are; each transport takes what it has and ignores the rest. */
export type RawOptions = {
  /** stdio: a line feed ends the bytes; it does unless told. */
  readonly lineFeed?: boolean
  /** WebSocket: the kind of frame; `text` unless told. */
  readonly frame?: 'text' | 'binary'
  /** HTTP: `POST` unless told. */
  readonly method?: string
  /** HTTP headers that replace ours of the same name (content type, accept, session, version, those set up); null removes ours. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** HTTP: the revision that `MCP-Protocol-Version` names. */
  readonly revision?: string
}

/** What is known once the bytes are sent: over HTTP the head of the reply. What it holds comes to the receiver. */
export type RawOutcome = {
  readonly httpStatus?: number
  readonly httpHeaders?: Readonly<Record<string, string>>
}

/** One way to one server, as a client sees it. A transport object is used for one connection only. */
export interface ClientTransport {
  readonly kind: TransportKind
  /** Opens it. Throws a `TransportError` if it cannot be opened. HTTP opens nothing here. */
  start(receiver: ClientReceiver): Promise<void>
  /** Sends one message; resolves when it was handed over. Throws a `TransportError` if it cannot be sent. */
  send(message: JsonRpcMessage, options?: SendOptions): Promise<void>
  /** HTTP: gives up the exchange of a request (in the modern era that is what cancels it); nothing comes for it. */
  abandon?(id: RequestId): void
  /**
   * Sends bytes as they are, be they a message or not, past every check; over HTTP they are a request of their own.
   * What comes back goes to the receiver, as a message or as invalid bytes. Throws a `TransportError` if they cannot be sent.
   */
  sendRaw(bytes: Uint8Array, options?: RawOptions): Promise<RawOutcome>
  /** Legacy HTTP: opens the stream for what the server sends unasked, once the handshake is done. */
  openStream?(): void
  /** Ends it: a process is asked politely, then terminated, with all its children. Never throws. */
  close(): Promise<void>
  /** What is known so far (pid, last stderr, first stray output), for error reports and the window. */
  evidence(): TransportEvidence
}

/** What a server does with a duplex link. Calls never overlap. */
export interface LinkReceiver {
  /** Any JSON value that came, valid as JSON-RPC or not. */
  message(value: unknown): void
  /** A line or frame that is not JSON, or over a bound; the server answers with that error, without an id. */
  invalid(error: ProtocolError): void
  /** The client sends nothing more but still reads: the server finishes what is in flight, then closes. */
  ended(): void
  /** The link has ended. Comes exactly once. */
  closed(): void
}

/** One duplex connection from a client (stdio, WebSocket, memory), as a server sees it. */
export interface ServerLink {
  readonly kind: TransportKind
  start(receiver: LinkReceiver): void
  /** Serialises once and writes; order is kept. */
  send(message: JsonRpcMessage): void
  /** Writes one message that is serialised already; bytes must not change afterwards. */
  sendEncoded(message: EncodedMessage): void
  /** Writes what is waiting, then ends the link. Never throws. */
  close(): Promise<void>
}
