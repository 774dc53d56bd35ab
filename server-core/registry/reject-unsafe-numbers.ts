/** Deeper than any message may be: what is nested further fails elsewhere. */
const MAX_DEPTH = 1_000

/**
 * Throws a `TypeError` that names the place of a number JSON cannot carry (`NaN`, `Infinity`), which would silently
 * become null. `text` is the JSON of the value where there is one: where it has no null, nothing is looked at.
 */
export function rejectUnsafeNumbers(value: unknown, text?: string): void {
  if (text !== undefined && !text.includes('null')) return
  const path = pathOfUnsafe(value, 0)
  if (path === undefined) return
  const found = path.reduce<unknown>((at, step) => (at as Readonly<Record<string, unknown>>)[step], value)
  const where = path.length === 0 ? '' : ` at /${path.join('/')}`
  throw new TypeError(
    `The handler gave ${String(found)}${where}, which JSON cannot carry; expected a finite number.`,
  )
}

/** The steps to the first such number. */
function pathOfUnsafe(value: unknown, depth: number): string[] | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : []
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined
  // What writes its own JSON knows why.
  if (value instanceof Uint8Array || ('toJSON' in value && typeof value.toJSON === 'function'))
    return undefined
  for (const [name, member] of Object.entries(value)) {
    const path = pathOfUnsafe(member, depth + 1)
    if (path !== undefined) return [name, ...path]
  }
  return undefined
}
