import { ProtocolError } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { ResourceNotFoundError } from '../errors.ts'
import { handlerErrorText } from '../handler-errors.ts'
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

/** Whether a value is an error as data. */
export function isRemoteError(value: unknown): value is RemoteError {
  if (!isJsonObject(value) || typeof value['message'] !== 'string') return false
  switch (value['kind']) {
    case 'not-found':
      return typeof value['uri'] === 'string'
    case 'protocol':
      return typeof value['code'] === 'number'
    case 'input-unavailable':
      return isJsonObject(value['requiredCapabilities'])
    default:
      return value['kind'] === 'other' && typeof value['name'] === 'string'
  }
}

/** An author may have put anything there. */
function nameOf(error: unknown): string {
  const name: unknown = error instanceof Error ? error.name : undefined
  return typeof name === 'string' ? name : 'Error'
}

/** Makes data of whatever a handler threw; a foreign error keeps its name and message. */
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
  return {
    kind: 'other',
    name: nameOf(error),
    message: handlerErrorText(error),
  }
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
