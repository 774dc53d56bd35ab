import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import type { Limits } from '../../protocol/limits.ts'
import type { RequestId } from '../../protocol/messages.ts'

/** The message is none, or none that may come now. */
export function invalidRequest(reason: string): ProtocolError {
  return new ProtocolError(ErrorCode.invalidRequest, `Invalid request: ${reason}`)
}

export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.invalidParams, message)
}

/** The method is known, but belongs to a capability that the client was not told of. */
export function notDeclared(method: string): ProtocolError {
  return new ProtocolError(
    ErrorCode.methodNotFound,
    `Method not found: ${method}; the server does not declare what it belongs to`,
  )
}

export function methodNotFound(method: string): ProtocolError {
  return new ProtocolError(ErrorCode.methodNotFound, `Method not found: ${method}`)
}

/** The id, unless it is too long to be repeated: such one is left out, like one that cannot be read. */
export function readableId(id: RequestId, { idLength }: Limits): RequestId | undefined {
  return typeof id === 'string' && id.length > idLength ? undefined : id
}
