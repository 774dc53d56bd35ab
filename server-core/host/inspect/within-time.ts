import { createContext, Script } from 'node:vm'

const script = new Script('work()')

/** The work was given up because it took too long. */
export class OutOfTimeError extends Error {
  override readonly name = 'OutOfTimeError'
}

/**
 * Runs synchronous work and breaks it off after so many milliseconds, a regular expression in it included: for
 * schemas that a peer wrote.
 *
 * @throws OutOfTimeError
 */
export function withinTime<T>(milliseconds: number, work: () => T): T {
  let result: { readonly value: T } | undefined
  const context = createContext({
    work: () => {
      result = { value: work() }
    },
  })
  try {
    script.runInContext(context, { timeout: milliseconds })
  } catch (error) {
    if (isTimeout(error)) throw new OutOfTimeError(`given up after ${milliseconds} ms`, { cause: error })
    throw error
  }
  if (result === undefined) throw new Error('the work ended without a result')
  return result.value
}

/** The error is made in the context that was broken off, so it is no `Error` of ours. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  )
}
