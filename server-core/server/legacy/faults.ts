import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { visibleLine } from '../../protocol/visible-text.ts'

/** The message is invalid, or not allowed at this point. */
export function invalidRequest(reason: string): ProtocolError {
  return new ProtocolError(ErrorCode.invalidRequest, `Invalid request: ${reason}`)
}

export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.invalidParams, message)
}

/** The method is known, but belongs to a capability that the client was not offered. */
export function notDeclared(method: string): ProtocolError {
  return new ProtocolError(
    ErrorCode.methodNotFound,
    `Method not found: ${visibleLine(method, 100)}; the server does not declare what it belongs to`,
  )
}

export function methodNotFound(method: string): ProtocolError {
  return new ProtocolError(ErrorCode.methodNotFound, `Method not found: ${visibleLine(method, 100)}`)
}
