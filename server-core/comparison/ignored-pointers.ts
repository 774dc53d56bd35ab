import { pointerSteps } from '../protocol/json-pointer.ts'

/** What one step of a pattern stands for: any one step, any number of steps, or the step itself. */
type Step = '*' | '**' | { readonly name: string }

/** Decides which JSON pointers a comparison leaves out. */
export type IgnoredPointers = (pointer: string) => boolean

/**
 * Reads patterns of JSON pointers: `*` stands for any step, `**` for any number of steps; a pattern covers everything
 * below what it names. A pattern without a slash in front names a member anywhere.
 *
 * @returns whether a pointer is covered by a pattern
 */
export function ignoredPointers(patterns: readonly string[]): IgnoredPointers {
  const all = patterns.map((pattern) => stepsOf(pattern.startsWith('/') ? pattern : `/**/${pattern}`))
  if (all.length === 0) return () => false
  return (pointer) => {
    const steps = pointerSteps(pointer)
    return all.some((pattern) => covers(pattern, steps))
  }
}

function stepsOf(pattern: string): readonly Step[] {
  return pointerSteps(pattern).map((step) => (step === '*' || step === '**' ? step : { name: step }))
}

function covers([first, ...rest]: readonly Step[], steps: readonly string[]): boolean {
  if (first === undefined) return true
  if (first === '**') return steps.some((_, start) => covers(rest, steps.slice(start)))
  const [step, ...below] = steps
  return step !== undefined && (first === '*' || first.name === step) && covers(rest, below)
}
