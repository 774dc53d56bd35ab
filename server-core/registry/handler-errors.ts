import { CodedError } from '../protocol/coded-error.ts'
import { ErrorCode, ProtocolError } from '../protocol/errors.ts'
import { ClientAnswerError, ElicitationRefusedError } from './answers.ts'
import { InputUnavailableError, type Invocation } from './invocation.ts'

/**
 * The arguments of a call do not fit what its handler declares.
 *
 * @example
 * ```ts
 * import { ArgumentsError, tool } from 'patchbay'
 *
 * export default tool({
 *   run: (args) => {
 *     if (args['from'] === args['to']) throw new ArgumentsError('"from" and "to" are the same place.')
 *     return 'ok'
 *   },
 * })
 * ```
 */
export class ArgumentsError extends CodedError<'invalid-arguments'> {
  override readonly name = 'ArgumentsError'

  constructor(message: string, options?: ErrorOptions) {
    super('invalid-arguments', message, options)
  }
}

/** Errors that are an answer by themselves and pass through a handler as they are. */
export function isAnswerError(error: unknown): error is ProtocolError | InputUnavailableError {
  return error instanceof ProtocolError || error instanceof InputUnavailableError
}

/** What error mappers made: their author knows of it. */
const MAPPED = new WeakSet<Error>()

/** Marks an error as one that an error mapper chose. */
export function markMapped(error: Error): Error {
  MAPPED.add(error)
  return error
}

/**
 * Whether a thrown value is a fault of the handler's code, for its author to learn of: no answer, refusal or mapped error,
 * not arguments that do not fit, and nothing that comes of the call's own end.
 */
export function isFault(error: unknown, { signal }: Pick<Invocation, 'signal'>): boolean {
  if (!(error instanceof Error)) return !signal.aborted
  if (isAnswerError(error) || error instanceof ArgumentsError || MAPPED.has(error)) return false
  if (error instanceof ElicitationRefusedError || error instanceof ClientAnswerError) return false
  return !signal.aborted
}

/** What a thrown value says, whatever it is. */
export function handlerErrorText(error: unknown): string {
  try {
    if (error instanceof Error) return error.message === '' ? error.name : error.message
    return typeof error === 'string' ? error : `The handler threw ${String(error)}.`
  } catch {
    return 'The handler threw something that cannot be read.'
  }
}

/**
 * Runs the handler of a resource, prompt or completion; a fault of its code becomes an internal error, arguments that
 * do not fit are `invalidParams`. `failed` learns of every error first.
 */
export async function withInternalErrors<T>(
  run: () => Promise<T>,
  failed?: (error: unknown) => void,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    failed?.(error)
    if (isAnswerError(error)) throw error
    if (error instanceof ArgumentsError) throw new ProtocolError(ErrorCode.invalidParams, error.message)
    throw new ProtocolError(ErrorCode.internalError, handlerErrorText(error))
  }
}
