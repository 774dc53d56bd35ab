import { ExactNumber, parseExact, stringifyExact } from '../protocol/exact-json.ts'
import { canonicalJson } from '../protocol/canonical-json.ts'
import { isJsonObject } from '../protocol/json.ts'
import { pointerStep } from '../protocol/json-pointer.ts'
import { ignoredPointers, type IgnoredPointers } from './ignored-pointers.ts'
import { matchItems } from './match-items.ts'
import { volatileDifference, type VolatileKind } from './volatile-values.ts'

/** Changes that are named; the others are counted. */
const MOST_CHANGES = 1_000

/** One difference. Its pointer is that of the second value; of something removed, that of the first. */
export type Change =
  | { readonly kind: 'added'; readonly pointer: string; readonly after: unknown }
  | { readonly kind: 'removed'; readonly pointer: string; readonly before: unknown }
  /** `type`: a number became a text, an object a list, and so on. */
  | {
      readonly kind: 'changed' | 'type'
      readonly pointer: string
      readonly before: unknown
      readonly after: unknown
    }
  | { readonly kind: 'moved'; readonly pointer: string; readonly from: string }

/**
 * A difference that comes from the run: a time, an identifier, a port, a value of the connection, or one that a replay
 * replaced.
 */
export type VolatileChange = {
  readonly kind: VolatileKind | 'connection' | 'replaced'
  readonly pointer: string
}

export type Comparison = {
  /** At most 1,000. */
  readonly changes: readonly Change[]
  /** Changes beyond these. */
  readonly more: number
  readonly volatile: readonly VolatileChange[]
  /** Differences that the patterns of the user left out. */
  readonly ignored: number
}

export type ComparisonOptions = {
  /** Patterns of JSON pointers, see `ignoredPointers`. */
  readonly ignore?: readonly string[]
  /** Counts differences of times, identifiers and ports as changes. */
  readonly exact?: boolean
  /** Returns whether a place holds a value of one connection, such as a token. */
  readonly isOfConnection?: (pointer: string) => boolean
  /** Returns whether a replay put the second value in place of the first. */
  readonly isReplaced?: (before: unknown, after: unknown) => boolean
}

/**
 * Compares two JSON values member by member. Items of arrays belong together by the member that identifies them
 * (`name`, `uri`, `id` …), else by content; the order of the members of an object does not matter. Texts that are JSON
 * objects or arrays are compared as such; pointers go on into them.
 *
 * @param before a parsed JSON value; numbers may be `ExactNumber`
 * @returns the changes that lead from the first value to the second; none if they are equal
 */
export function compareValues(
  before: unknown,
  after: unknown,
  {
    ignore = [],
    exact = false,
    isOfConnection = () => false,
    isReplaced = () => false,
  }: ComparisonOptions = {},
): Comparison {
  const found: Found = {
    changes: [],
    more: 0,
    volatile: [],
    ignored: 0,
    isIgnored: ignoredPointers(ignore),
    exact,
    isOfConnection,
    isReplaced,
  }
  compare(before, after, '', found)
  const { changes, more, volatile, ignored } = found
  return { changes, more, volatile, ignored }
}

type Found = {
  readonly changes: Change[]
  more: number
  readonly volatile: VolatileChange[]
  ignored: number
  readonly isIgnored: IgnoredPointers
  readonly exact: boolean
  readonly isOfConnection: (pointer: string) => boolean
  readonly isReplaced: (before: unknown, after: unknown) => boolean
}

function compare(before: unknown, after: unknown, pointer: string, found: Found): void {
  if (Array.isArray(before) && Array.isArray(after)) compareItems(before, after, pointer, found)
  else if (isMembers(before) && isMembers(after)) compareMembers(before, after, pointer, found)
  else if (!isSameScalar(before, after)) {
    const texts = jsonTexts(before, after)
    if (texts !== undefined) {
      compare(texts.before, texts.after, pointer, found)
      return
    }
    const kind = found.exact ? undefined : kindOf(before, after, pointer, found)
    if (kind !== undefined && !found.isIgnored(pointer)) found.volatile.push({ kind, pointer })
    else add({ kind: typeOf(before) === typeOf(after) ? 'changed' : 'type', pointer, before, after }, found)
  }
}

function compareMembers(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  pointer: string,
  found: Found,
): void {
  for (const name of Object.keys(before))
    if (!Object.hasOwn(after, name)) {
      const place = `${pointer}/${pointerStep(name)}`
      add({ kind: 'removed', pointer: place, before: before[name] }, found)
    }
  for (const [name, value] of Object.entries(after)) {
    const place = `${pointer}/${pointerStep(name)}`
    if (!Object.hasOwn(before, name)) add({ kind: 'added', pointer: place, after: value }, found)
    else compare(before[name], value, place, found)
  }
}

function compareItems(
  before: readonly unknown[],
  after: readonly unknown[],
  pointer: string,
  found: Found,
): void {
  for (const match of matchItems(before, after)) {
    if (match.type === 'after')
      add({ kind: 'added', pointer: `${pointer}/${match.after}`, after: after[match.after] }, found)
    else if (match.type === 'before')
      add({ kind: 'removed', pointer: `${pointer}/${match.before}`, before: before[match.before] }, found)
    else {
      const place = `${pointer}/${match.after}`
      if (match.moved) add({ kind: 'moved', pointer: place, from: `${pointer}/${match.before}` }, found)
      compare(before[match.before], after[match.after], place, found)
    }
  }
}

function add(change: Change, found: Found): void {
  if (found.isIgnored(change.pointer)) found.ignored += 1
  else if (found.changes.length < MOST_CHANGES) found.changes.push(change)
  else found.more += 1
}

/** The values of two texts that are JSON objects or arrays and differ in more than how they are written. */
function jsonTexts(
  before: unknown,
  after: unknown,
): { readonly before: unknown; readonly after: unknown } | undefined {
  const [one, other] = [jsonText(before), jsonText(after)]
  if (one === undefined || other === undefined) return undefined
  return canonicalJson(one) === canonicalJson(other) ? undefined : { before: one, after: other }
}

function jsonText(text: unknown): unknown {
  if (typeof text !== 'string' || !/^\s*[[{]/.test(text)) return undefined
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return isJsonObject(value) && !(value instanceof ExactNumber)
}

function isSameScalar(before: unknown, after: unknown): boolean {
  if (before === after) return true
  const isExact = before instanceof ExactNumber || after instanceof ExactNumber
  return isExact && typeOf(before) === typeOf(after) && stringifyExact(before) === stringifyExact(after)
}

function kindOf(
  before: unknown,
  after: unknown,
  pointer: string,
  { isOfConnection, isReplaced }: Found,
): VolatileChange['kind'] | undefined {
  if (isOfConnection(pointer)) return 'connection'
  return volatileDifference(before, after) ?? (isReplaced(before, after) ? 'replaced' : undefined)
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return value instanceof ExactNumber ? 'number' : typeof value
}
