import { ProtocolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { ResourceNotFoundError } from '../errors.ts'
import { messageOf } from '../handler-errors.ts'
import { InputUnavailableError } from '../invocation.ts'

/** An error as data: its class survives where the other side must tell it from others. */
export type RemoteError =
  | { readonly kind: 'not-found'; readonly uri: string; readonly message: string }
  | { readonly kind: 'protocol'; readonly code: number; readonly message: string; readonly data?: unknown }
  | {
      readonly kind: 'input-unavailable'
      readonly message: string
      readonly requiredCapabilities: JsonObject
    }
  | { readonly kind: 'other'; readonly name: string; readonly message: string }

/** Makes data of whatever a handler threw; what is no error of ours keeps its name and message. */
export function encodeError(error: unknown): RemoteError {
  if (error instanceof ResourceNotFoundError) {
    return { kind: 'not-found', uri: error.uri, message: error.message }
  }
  if (error instanceof ProtocolError) {
    const data = error.data === undefined ? {} : { data: error.data }
    return { kind: 'protocol', code: error.code, message: error.message, ...data }
  }
  if (error instanceof InputUnavailableError) {
    const { message, requiredCapabilities } = error
    return { kind: 'input-unavailable', message, requiredCapabilities }
  }
  return { kind: 'other', name: error instanceof Error ? error.name : 'Error', message: messageOf(error) }
}

/** The error again, of the class it had. Its stack is of this side. */
export function decodeError(error: RemoteError): Error {
  switch (error.kind) {
    case 'not-found':
      return new ResourceNotFoundError(error.uri, error.message)
    case 'protocol':
      return new ProtocolError(error.code, error.message, error.data)
    case 'input-unavailable':
      return new InputUnavailableError(error.message, error.requiredCapabilities)
    case 'other': {
      const decoded = new Error(error.message)
      decoded.name = error.name
      return decoded
    }
  }
}
