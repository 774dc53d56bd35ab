import type { TransportKind } from '../protocol/transport-kind.ts'
import { CodedError } from '../protocol/coded-error.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { JsonRpcErrorBody } from '../protocol/messages.ts'
import type { AnswerFault } from './answers/form-content.ts'
import type { Incoming, TransportErrorCode, TransportEvidence } from '../ports/contract.ts'

/**
 * The server's own error answer to a request, with the bytes it came in.
 *
 * @example
 * ```ts
 * import { connectTo, callTool, PeerError } from 'patchbay/client'
 *
 * const connection = await connectTo(
 *   { transport: 'stdio', command: 'node', args: ['server.js'] },
 *   { identity: { name: 'my-client', version: '1.0.0' } },
 * )
 * await callTool(connection, { name: 'missing' }).catch((error: unknown) => {
 *   if (error instanceof PeerError) console.log(error.code, error.message)
 * })
 * await connection.close()
 * ```
 */
export class PeerError extends ProtocolError {
  readonly bytes: Uint8Array
  /** The HTTP status it came with; missing where there is none. */
  readonly httpStatus?: number
  /** The HTTP headers it came with; missing where there are none. */
  readonly httpHeaders?: Readonly<Record<string, string>>

  constructor(body: JsonRpcErrorBody, incoming: Omit<Incoming, 'value'>) {
    super(body.code, body.message, body.data)
    const { bytes, httpStatus, httpHeaders } = incoming
    this.bytes = bytes
    if (httpStatus !== undefined) this.httpStatus = httpStatus
    if (httpHeaders !== undefined) this.httpHeaders = httpHeaders
  }
}

/** Why a request got no usable answer. */
export type RequestFailureCode =
  /** No answer in time. */
  | 'timeout'
  /** The caller gave it up. */
  | 'cancelled'
  /** The connection ended first. */
  | 'closed'
  /** Its message could not be sent, or its HTTP exchange failed; `cause` is the `TransportError`. */
  | 'transport'
  /** What came is not an answer that the revision knows. */
  | 'invalid-answer'
  /** The server asks for something that this client does not answer. */
  | 'input-required'
  /** The server keeps asking. */
  | 'too-many-rounds'
  /** More requests are in flight than `Limits` allows. */
  | 'too-many'
  /** The parameters are not a JSON object. */
  | 'invalid-params'

/**
 * A request that got no answer. Never a forged error of the server.
 *
 * @example
 * ```ts
 * import { connectTo, callTool, RequestFailedError } from 'patchbay/client'
 *
 * const connection = await connectTo(
 *   { transport: 'stdio', command: 'node', args: ['server.js'] },
 *   { identity: { name: 'my-client', version: '1.0.0' } },
 * )
 * const call = { name: 'add', arguments: { a: 1, b: 2 } }
 * await callTool(connection, call, { signal: AbortSignal.abort() }).catch((error: unknown) => {
 *   if (error instanceof RequestFailedError) console.log(error.code)
 * })
 * await connection.close()
 * ```
 */
export class RequestFailedError extends CodedError<RequestFailureCode> {
  override readonly name = 'RequestFailedError'
  /** The bytes of the answer that could not be taken, if one came. */
  readonly bytes?: Uint8Array

  constructor(
    code: RequestFailureCode,
    message: string,
    options: ErrorOptions & { readonly bytes?: Uint8Array } = {},
  ) {
    super(code, message, options)
    if (options.bytes !== undefined) this.bytes = options.bytes
  }
}

/**
 * An answer to a server's question that may not be sent. It never was; `faults` tell where and why.
 *
 * @example
 * ```ts
 * import { connectTo, InvalidAnswerError } from 'patchbay/client'
 *
 * // Each answer to a question of the server is checked before it is sent.
 * const connection = await connectTo(
 *   { transport: 'stdio', command: 'node', args: ['server.js'] },
 *   {
 *     identity: { name: 'my-client', version: '1.0.0' },
 *     listeners: {
 *       answerRefused: ({ method, faults }) => console.log(new InvalidAnswerError(method, faults).message),
 *     },
 *   },
 * )
 * await connection.close()
 * ```
 */
export class InvalidAnswerError extends CodedError<'invalid-answer'> {
  override readonly name = 'InvalidAnswerError'
  readonly faults: readonly AnswerFault[]

  constructor(method: string, faults: readonly AnswerFault[]) {
    const told = faults.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    super('invalid-answer', `the answer to ${method} was not sent: ${told.join('; ')}`)
    this.faults = faults
  }
}

/** One step of finding out which transport and revision a server speaks, and what became of it. */
export type ProbeStep = {
  readonly step: string
  readonly outcome: string
  readonly transport?: TransportKind
  /** Agreed on a revision, on to the next step, or at the end of what can be tried. */
  readonly verdict?: 'agreed' | 'next' | 'failed'
}

/** Why no connection was made. */
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

/**
 * No connection came about. `steps` reports what was tried, `evidence` what the transport and the last answer tell. It
 * is thrown as soon as the cause is known; ending a stubborn process takes seconds more, until `ended` resolves.
 *
 * @example
 * ```ts
 * import { ConnectError, connectTo } from 'patchbay/client'
 *
 * const identity = { name: 'my-client', version: '1.0.0' }
 * await connectTo({ transport: 'stdio', command: 'no-such-program', args: [] }, { identity }).catch((error: unknown) => {
 *   if (!(error instanceof ConnectError)) throw error
 *   console.log(error.code, error.message)
 *   for (const { step, outcome } of error.steps) console.log(step, outcome)
 * })
 * ```
 */
export class ConnectError extends CodedError<ConnectFailureCode> {
  override readonly name = 'ConnectError'
  readonly steps: readonly ProbeStep[]
  readonly evidence: TransportEvidence
  /** Resolves when nothing of the attempt is left. Never rejects. */
  readonly ended: Promise<void>

  constructor(
    code: ConnectFailureCode,
    message: string,
    details: {
      readonly steps: readonly ProbeStep[]
      readonly evidence: TransportEvidence
      readonly ended: Promise<void>
      readonly cause?: unknown
    },
  ) {
    super(code, message, { cause: details.cause })
    this.steps = details.steps
    this.evidence = details.evidence
    this.ended = details.ended
  }
}
