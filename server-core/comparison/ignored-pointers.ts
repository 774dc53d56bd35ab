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
    const steps = pointer.split('/').slice(1).map(unescaped)
    return all.some((pattern) => covers(pattern, steps))
  }
}

function stepsOf(pattern: string): readonly Step[] {
  return pattern
    .split('/')
    .slice(1)
    .map((step) => (step === '*' || step === '**' ? step : { name: unescaped(step) }))
}

function covers([first, ...rest]: readonly Step[], steps: readonly string[]): boolean {
  if (first === undefined) return true
  if (first === '**') return steps.some((_, start) => covers(rest, steps.slice(start)))
  const [step, ...below] = steps
  return step !== undefined && (first === '*' || first.name === step) && covers(rest, below)
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Writes a member's name or an item's place as a step of a JSON pointer (RFC 6901). */
export function pointerStep(step: string | number): string {
  return String(step).replaceAll('~', '~0').replaceAll('/', '~1')
}
