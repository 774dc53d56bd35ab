import { CodedError } from '../../protocol/coded-error.ts'

/**
 * A call that got no response: its arguments make no request, or the API cannot be reached. The message is for the model
 * and contains no secrets.
 */
export class CallError extends CodedError<'invalid-arguments' | 'unreachable'> {
  override readonly name = 'CallError'
}
