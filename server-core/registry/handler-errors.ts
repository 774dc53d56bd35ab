import { ErrorCode, ProtocolError } from '../protocol/errors.ts'
import { InputUnavailableError } from './invocation.ts'

/** Errors that are an answer by themselves and pass through a handler as they are. */
export function isAnswerError(error: unknown): error is ProtocolError | InputUnavailableError {
  return error instanceof ProtocolError || error instanceof InputUnavailableError
}

/** What a thrown value says. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message === '' ? error.name : error.message
  return typeof error === 'string' ? error : `The handler threw ${String(error)}.`
}

/** Runs the handler of a resource, prompt or completion; a fault of its code becomes an internal error. */
export async function withInternalErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (isAnswerError(error)) throw error
    throw new ProtocolError(ErrorCode.internalError, messageOf(error))
  }
}
