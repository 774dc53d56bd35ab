import { backtracks, linearPattern, type Pattern } from '../../protocol/patterns/linear-pattern.ts'
import { effortOf, type Effort } from '../../protocol/patterns/pattern-effort.ts'
import { withinTime } from '../../registry/within-time.ts'

/** Milliseconds that one check may take in which patterns have much to do. */
export const CHECK_MS = 250

/** Steps that the patterns of one check may take together without a watch: some milliseconds. */
const FREE_STEPS = 1_000_000

/** Thrown out of a check that has to be made under watch. */
class NeedsWatch extends Error {
  override readonly name = 'NeedsWatch'
}

const watch = { isOn: false, steps: 0 }

/**
 * Compiles the pattern of a schema (Unicode, as JSON Schema has it). A test that takes few steps runs as it is. One that
 * could take many runs with a time limit (see `runGuarded`), and by the linear engine if the pattern backtracks.
 */
export const guardedPattern = Object.assign(
  (source: string, flags: string): Pattern => {
    const exact = new RegExp(source, flags)
    const effort = effortOf(source)
    let linear: Pattern | undefined
    return {
      test: (text) => {
        if (watch.isOn) return (linear ??= linearOr(exact)).test(text)
        spend(effort, text.length)
        return exact.test(text)
      },
      toString: () => String(exact),
    }
  },
  // What code that a validator writes out would call; ours is never written out.
  { code: 'new RegExp' },
)

function linearOr(exact: RegExp): Pattern {
  return (backtracks(exact.source) ? linearPattern(exact.source) : undefined) ?? exact
}

/** What a format does to a text, with the same watch: the work of those grows with its square at most. */
export function guardedFormat(format: RegExp): (text: string) => boolean {
  return (text) => {
    if (!watch.isOn) spend(FORMAT_EFFORT, text.length)
    return format.test(text)
  }
}

const FORMAT_EFFORT: Effort = { fixed: 1, power: 2 }

function spend(effort: Effort | undefined, length: number): void {
  watch.steps += effort === undefined ? Infinity : effort.fixed * Math.max(1, length) ** effort.power
  if (watch.steps > FREE_STEPS) throw new NeedsWatch('this check has much to do')
}

/**
 * Runs a check, the second time under watch if its patterns have much to do.
 *
 * @throws OutOfTimeError after 250 ms under watch
 */
export function runGuarded(check: (value: unknown) => boolean, value: unknown): boolean {
  watch.steps = 0
  try {
    return check(value)
  } catch (error) {
    if (!(error instanceof NeedsWatch)) throw error
  }
  watch.isOn = true
  try {
    return withinTime(CHECK_MS, () => check(value))
  } finally {
    watch.isOn = false
  }
}
