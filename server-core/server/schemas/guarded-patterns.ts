import { CodedError } from '../../protocol/coded-error.ts'
import type { Pattern } from '../../protocol/patterns/linear-pattern.ts'
import { effortOf, type Effort } from '../../protocol/patterns/pattern-effort.ts'

/** Steps that the patterns of one check may take together in this thread: some milliseconds. */
const FREE_STEPS = 1_000_000

/** Thrown out of a check whose patterns could take too many steps. */
class TooManyStepsError extends CodedError<'too-many-steps'> {
  override readonly name = 'TooManyStepsError'

  constructor(message: string, options?: ErrorOptions) {
    super('too-many-steps', message, options)
  }
}

let steps = 0

/**
 * Compiles the pattern of a schema (Unicode, as JSON Schema has it). A test that could take many steps is not made: the
 * check runs in a Worker then (see `tryCheck`).
 */
export const guardedPattern = Object.assign(
  (source: string, flags: string): Pattern => {
    const exact = new RegExp(source, flags)
    const effort = effortOf(source)
    return {
      test: (text) => {
        spend(effort, text.length)
        return exact.test(text)
      },
      toString: () => String(exact),
    }
  },
  // What code that a validator writes out would call; ours is never written out.
  { code: 'new RegExp' },
)

/** What a format does to a text, with the same guard: the work of those grows with its square at most. */
export function guardedFormat(format: RegExp): (text: string) => boolean {
  return (text) => {
    spend(FORMAT_EFFORT, text.length)
    return format.test(text)
  }
}

const FORMAT_EFFORT: Effort = { fixed: 1, power: 2 }

function spend(effort: Effort | undefined, length: number): void {
  steps += effort === undefined ? Infinity : effort.fixed * Math.max(1, length) ** effort.power
  if (steps > FREE_STEPS) throw new TooManyStepsError('the patterns of this check could take too many steps')
}

/** Runs a check in this thread. Returns undefined if its patterns could take too many steps for that. */
export function tryCheck(check: (value: unknown) => boolean, value: unknown): boolean | undefined {
  steps = 0
  try {
    return check(value)
  } catch (error) {
    if (error instanceof TooManyStepsError) return undefined
    throw error
  }
}
