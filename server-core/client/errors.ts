import { ProtocolError } from '../protocol/errors.ts'
import type { JsonRpcErrorBody } from '../protocol/messages.ts'
import type { TransportErrorCode, TransportEvidence } from '../transports/contract.ts'

/** The server's own error answer to a request, with the bytes it came in. */
export class PeerError extends ProtocolError {
  readonly bytes: Uint8Array
  /** The HTTP status it came with; missing where there is none. */
  readonly httpStatus?: number

  constructor(body: JsonRpcErrorBody, bytes: Uint8Array, httpStatus?: number) {
    super(body.code, body.message, body.data)
    this.bytes = bytes
    if (httpStatus !== undefined) this.httpStatus = httpStatus
  }
}

export type RequestFailureCode =
  /** No answer in time. */
  | 'timeout'
  /** The caller gave it up. */
  | 'cancelled'
  /** The connection ended first. */
  | 'closed'
  /** Its message could not be sent, or its HTTP exchange failed; `cause` is the `TransportError`. */
  | 'transport'
  /** What came is no answer that the revision knows. */
  | 'invalid-answer'
  /** The server asks for something that this client does not answer. */
  | 'input-required'
  /** The server keeps asking. */
  | 'too-many-rounds'
  /** More requests are in flight than `Limits` allows. */
  | 'too-many'
  /** The parameters are no JSON object. */
  | 'invalid-params'

/** A request that got no answer. Never a forged error of the server. */
export class RequestFailedError extends Error {
  override readonly name = 'RequestFailedError'
  readonly code: RequestFailureCode
  /** The bytes of the answer that could not be taken, if one came. */
  readonly bytes?: Uint8Array

  constructor(
    code: RequestFailureCode,
    message: string,
    options: ErrorOptions & { readonly bytes?: Uint8Array } = {},
  ) {
    super(message, options)
    this.code = code
    if (options.bytes !== undefined) this.bytes = options.bytes
  }
}

/** One step of finding out which revision a server speaks, and what became of it. */
export type ProbeStep = { readonly step: string; readonly outcome: string }

export type ConnectFailureCode =
  | TransportErrorCode
  /** The server does not answer the first request. */
  | 'timeout'
  /** The caller gave it up. */
  | 'cancelled'
  /** The server answers the handshake with an error. */
  | 'refused'
  /** No revision is spoken by both. */
  | 'version-mismatch'
  /** The handshake's answer cannot be used. */
  | 'invalid-answer'

/** No connection came about. `steps` tells what was tried, `evidence` what the transport knows. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError'
  readonly code: ConnectFailureCode
  readonly steps: readonly ProbeStep[]
  readonly evidence: TransportEvidence

  constructor(
    code: ConnectFailureCode,
    message: string,
    details: {
      readonly steps: readonly ProbeStep[]
      readonly evidence: TransportEvidence
      readonly cause?: unknown
    },
  ) {
    super(message, { cause: details.cause })
    this.code = code
    this.steps = details.steps
    this.evidence = details.evidence
  }
}
