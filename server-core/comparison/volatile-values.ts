/** What a value is that differs from run to run by its nature. */
export type VolatileKind = 'time' | 'id' | 'port'

const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g
const ID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b[0-9a-f]{32,64}\b/gi
const PORT = /\b(https?|wss?):\/\/(127\.0\.0\.1|localhost|\[::1\]):\d+/g
/** Milliseconds of the years 2001 to 2286. */
const EPOCH_MS = { from: 1e12, to: 1e13 }

const NAMED: readonly (readonly [VolatileKind, RegExp, string])[] = [
  ['time', TIME, '⟨time⟩'],
  ['id', ID, '⟨id⟩'],
  ['port', PORT, '$1://$2:⟨port⟩'],
]

/** Writes a value with a name in place of each part that differs from run to run. */
export function withoutVolatile(value: string | number): string | number {
  if (typeof value === 'number')
    return Number.isInteger(value) && value >= EPOCH_MS.from && value < EPOCH_MS.to ? '⟨time⟩' : value
  let text = value
  for (const [, pattern, name] of NAMED) text = text.replace(pattern, name)
  return text
}

/** What takes the place of a volatile part in a pattern of the whole text. */
const PART_PATTERNS: Readonly<Record<VolatileKind, RegExp>> = {
  time: /[\d:.TZ +-]+/,
  id: /[\da-fA-F-]+/,
  port: /\d+/,
}

/**
 * Splits a value into what stays and what differs from run to run.
 *
 * @returns texts as they are, and patterns of volatile parts, in order; a pattern alone for a value that is all volatile
 */
export function volatileParts(value: string | number): (string | RegExp)[] {
  const written = withoutVolatile(value)
  if (typeof written === 'number') return [String(written)]
  return written.split(/⟨(time|id|port)⟩/).flatMap((part, place): (string | RegExp)[] => {
    if (place % 2 === 1) return [PART_PATTERNS[part as VolatileKind]]
    return part === '' ? [] : [part]
  })
}

/**
 * Returns what two values are that differ by their volatile parts alone.
 *
 * @returns undefined for values that differ otherwise, or not at all
 */
export function volatileDifference(before: unknown, after: unknown): VolatileKind | undefined {
  if (before === after) return undefined
  if (typeof before === 'number' && typeof after === 'number')
    return withoutVolatile(before) === '⟨time⟩' && withoutVolatile(after) === '⟨time⟩' ? 'time' : undefined
  if (typeof before !== 'string' || typeof after !== 'string') return undefined
  if (withoutVolatile(before) !== withoutVolatile(after)) return undefined
  return NAMED.find(([, pattern]) => !sameParts(pattern, before, after))?.[0]
}

function sameParts(pattern: RegExp, before: string, after: string): boolean {
  return (before.match(pattern) ?? []).join() === (after.match(pattern) ?? []).join()
}
