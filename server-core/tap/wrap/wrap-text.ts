import { isDeepStrictEqual } from 'node:util'
import { compareValues, type Comparison } from '../../comparison/compare-values.ts'
import type { Editing } from '../../install/entry-editing.ts'
import type { ConfigEntry } from '../../install/formats/config-format.ts'

/** The part of a text that a change replaced, before and after it. */
export type ReplacedText = { readonly before: string; readonly after: string }

/** What is known of a wrapped entry. */
export type WrappedText = {
  readonly original: ConfigEntry
  readonly wrapped: ConfigEntry
  readonly replaced: ReplacedText
}

export type EntryPlace = { readonly path: readonly string[]; readonly name: string }

/** How a text is unwrapped. */
export type Unwrapped =
  /** `isExact`: the bytes of the entry are those from before; else the file was laid out again, and its values are. */
  | { readonly type: 'restored'; readonly text: string; readonly isExact: boolean }
  /** There is nothing to restore, or somebody changed the entry. */
  | Exclude<EntryComparison, { readonly type: 'wrapped' }>

/** Places of the same text that are tried. */
const MOST_PLACES = 100

/** What a change replaced: the smallest part of both texts outside of which they are equal. */
export function replacedText(before: string, after: string): ReplacedText {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  return { before: before.slice(start, before.length - end), after: after.slice(start, after.length - end) }
}

/** How an entry stands to what is known of it. */
export type EntryComparison =
  | { readonly type: 'wrapped' }
  /** It is as it was before it was wrapped, or was removed. */
  | { readonly type: 'as-before' | 'gone' }
  /** Somebody changed it: what was written, against what is there. */
  | { readonly type: 'changed'; readonly comparison: Comparison }

/** Compares what is there with what was written and with what was before. */
export function compareEntry(present: unknown, { original, wrapped }: WrappedText): EntryComparison {
  if (present === undefined) return { type: 'gone' }
  if (isSame(present, original)) return { type: 'as-before' }
  if (isSame(present, wrapped)) return { type: 'wrapped' }
  return { type: 'changed', comparison: compareValues(wrapped, present, { exact: true }) }
}

/**
 * Restores a wrapped entry in a text that may have changed elsewhere. An entry that is not as it was written is left, and
 * the difference returned.
 *
 * @throws ConfigSyntaxError; UneditableError
 */
export function unwrapText(editing: Editing, text: string, place: EntryPlace, wrap: WrappedText): Unwrapped {
  const { original, replaced } = wrap
  const compared = compareEntry(editing.entriesOf(text, place.path)[place.name], wrap)
  if (compared.type !== 'wrapped') return compared
  let at = replaced.after === '' ? -1 : text.indexOf(replaced.after)
  for (let tried = 0; at !== -1 && tried < MOST_PLACES; tried += 1) {
    const candidate = text.slice(0, at) + replaced.before + text.slice(at + replaced.after.length)
    if (isRestored(editing, text, candidate, place, original))
      return { type: 'restored', text: candidate, isExact: true }
    at = text.indexOf(replaced.after, at + 1)
  }
  return { type: 'restored', text: editing.change(text, place, original), isExact: false }
}

function isRestored(
  editing: Editing,
  before: string,
  after: string,
  place: EntryPlace,
  original: ConfigEntry,
): boolean {
  try {
    return editing.isChangeOf(before, after, place, original)
  } catch {
    return false
  }
}

/** Formats make their maps differently, and what is stored is JSON. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)))
}
