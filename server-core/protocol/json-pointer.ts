/** Returns the steps of a JSON pointer (RFC 6901), unescaped: `/a~1b/0` gives `a/b` and `0`. */
export function pointerSteps(pointer: string): string[] {
  if (pointer === '') return []
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Returns a member's name or an item's place as a step of a JSON pointer, escaped (RFC 6901). */
export function pointerStep(step: string | number): string {
  return String(step).replaceAll('~', '~0').replaceAll('/', '~1')
}
