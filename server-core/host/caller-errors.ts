import { ORPCError } from '@orpc/server'
import { StorageError } from '../workspace/storage-error.ts'
import { HostError } from './host-error.ts'
import { ProfileError } from '../profile/profile-error.ts'

/**
 * Runs a procedure so that its errors, those of a stream included, reach the caller with their code and message. An
 * error without a code is an internal one: it is logged, and reaches the caller without details.
 *
 * @param run the procedure, or what is left of it
 * @param name what the log calls it
 */
export async function withCallerErrors<Result extends { readonly output: unknown }>(
  run: () => Result | PromiseLike<Result>,
  name: string,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const explain = (error: unknown): unknown =>
    // A caller that has gone receives nothing, and that it went is not our fault.
    signal?.aborted === true ? error : errorForCaller(error, name)
  try {
    const result = await run()
    return isStream(result.output) ? { ...result, output: explained(result.output, explain) } : result
  } catch (error) {
    throw explain(error)
  }
}

async function* explained(
  stream: AsyncIterableIterator<unknown>,
  explain: (error: unknown) => unknown,
): AsyncGenerator<unknown, unknown, void> {
  try {
    return (yield* stream) as unknown
  } catch (error) {
    throw explain(error)
  }
}

function errorForCaller(error: unknown, name: string): unknown {
  if (error instanceof ORPCError) return error
  if (error instanceof HostError || error instanceof ProfileError) {
    return new ORPCError(error.code, { status: 409, message: error.message, cause: error })
  }
  if (error instanceof StorageError || isSystemError(error)) {
    return new ORPCError('STORAGE', { status: 500, message: error.message, cause: error })
  }
  const code = codeOf(error)
  if (error instanceof Error && code !== undefined) {
    return new ORPCError(code, { status: 500, message: error.message, cause: error })
  }
  console.error(`The host failed at ${name}:`, error)
  return error
}

/** An error of a file or a socket: a full disk, a folder that nobody may write to. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'errno' in error
}

/** The code of one of our error types; Node's own codes of misuse (`ERR_…`) are of no use to a caller. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  return error.code.startsWith('ERR_') ? undefined : error.code
}

function isStream(output: unknown): output is AsyncIterableIterator<unknown> {
  return typeof output === 'object' && output !== null && Symbol.asyncIterator in output && 'next' in output
}
