import { CodedError } from './coded-error.ts'
import type { JsonRpcErrorBody } from './messages.ts'

/**
 * The error codes of JSON-RPC 2.0 and of the MCP revisions (protocol: error codes).
 *
 * @example
 * ```ts
 * import { ErrorCode } from 'patchbay/protocol'
 *
 * console.log(ErrorCode.methodNotFound) // -32601
 * ```
 */
export const ErrorCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Legacy revisions only; 2026-07-28 answers a missing resource with `invalidParams`. */
  resourceNotFound: -32002,
  /** 2025-11-25 only: the request works once the listed URLs were visited. */
  urlElicitationRequired: -32042,
  /** Legacy sampling: the person said no. */
  userRejected: -1,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedProtocolVersion: -32022,
} as const

/** The refusal of a request that comes while the server shuts down and only finishes earlier ones. */
export function shuttingDown(): ProtocolError {
  const message = 'Invalid request: the server is shutting down; connect again later'
  return new ProtocolError(ErrorCode.invalidRequest, message)
}

/**
 * An error that is an answer: it crosses the wire as a JSON-RPC error. Local conditions (a timeout, a closed
 * connection) are other classes and are never forged as a peer's error.
 *
 * @example
 * ```ts
 * import { ErrorCode, ProtocolError, Registry } from 'patchbay/server'
 *
 * const registry = new Registry()
 * registry.addTool({
 *   name: 'locked',
 *   run: () => {
 *     throw new ProtocolError(ErrorCode.invalidParams, 'The door is locked', { retryAfterS: 60 })
 *   },
 * })
 * ```
 */
export class ProtocolError extends CodedError<number> {
  override readonly name = 'ProtocolError'
  readonly data?: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(code, message)
    if (data !== undefined) this.data = data
  }

  /** The `error` member of the answer. */
  toBody(): JsonRpcErrorBody {
    return {
      code: this.code,
      message: this.message,
      ...(this.data === undefined ? {} : { data: this.data }),
    }
  }
}
