import { CodedError } from '../protocol/coded-error.ts'
import { createContext, Script } from 'node:vm'

/** The work was given up because it took too long. */
export class OutOfTimeError extends CodedError<'out-of-time'> {
  override readonly name = 'OutOfTimeError'

  constructor(message: string, options?: ErrorOptions) {
    super('out-of-time', message, options)
  }
}

/** What runs the work; made once, since making it takes longer than most work. */
let runner: { readonly script: Script; readonly context: { work: () => void } } | undefined

/** So often work is begun that was broken off while others had the processor. */
const ATTEMPTS = 4

/**
 * Runs synchronous work and breaks it off after so many milliseconds, a regular expression in it included: for
 * schemas and patterns that others wrote, and texts that were made to defeat them. It costs some 0.3 ms. On a busy
 * machine that time may pass without the work: then it is begun again, so it should leave nothing behind.
 *
 * @throws OutOfTimeError
 */
export function withinTime<T>(milliseconds: number, work: () => T): T {
  for (let left = ATTEMPTS - 1; ; left -= 1) {
    const before = process.cpuUsage()
    try {
      return runWithin(milliseconds, work)
    } catch (error) {
      const { user, system } = process.cpuUsage(before)
      const wasAtWork = (user + system) / 1_000 > milliseconds / 2
      if (!(error instanceof OutOfTimeError) || wasAtWork || left === 0) throw error
    }
  }
}

function runWithin<T>(milliseconds: number, work: () => T): T {
  let result: { readonly value: T } | undefined
  const { script, context } = (runner ??= {
    script: new Script('work()'),
    context: createContext({ work: nothing }) as { work: () => void },
  })
  context.work = () => {
    result = { value: work() }
  }
  try {
    script.runInContext(context, { timeout: milliseconds })
  } catch (error) {
    if (isTimeout(error)) throw new OutOfTimeError(`given up after ${milliseconds} ms`, { cause: error })
    throw error
  } finally {
    context.work = nothing
  }
  if (result === undefined) throw new Error('the work ended without a result')
  return result.value
}

/** Between two runs: what the last one held is let go. */
function nothing(): void {
  // Nothing to do.
}

/** The error is created in the aborted context, so it is not an instance of our `Error`. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  )
}
