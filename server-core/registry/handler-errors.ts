import { ErrorCode, ProtocolError } from '../protocol/errors.ts'
import { InputUnavailableError } from './invocation.ts'

/** The arguments of a call do not fit what its handler declares. */
export class ArgumentsError extends Error {
  override readonly name = 'ArgumentsError'
}

/** Errors that are an answer by themselves and pass through a handler as they are. */
export function isAnswerError(error: unknown): error is ProtocolError | InputUnavailableError {
  return error instanceof ProtocolError || error instanceof InputUnavailableError
}

/** What a thrown value says, whatever it is. */
export function messageOf(error: unknown): string {
  try {
    if (error instanceof Error) return error.message === '' ? error.name : error.message
    return typeof error === 'string' ? error : `The handler threw ${String(error)}.`
  } catch {
    return 'The handler threw something that cannot be read.'
  }
}

/**
 * Runs the handler of a resource, prompt or completion; a fault of its code becomes an internal error, arguments that
 * do not fit are `invalidParams`.
 */
export async function withInternalErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (isAnswerError(error)) throw error
    if (error instanceof ArgumentsError) throw new ProtocolError(ErrorCode.invalidParams, error.message)
    throw new ProtocolError(ErrorCode.internalError, messageOf(error))
  }
}
