import type { Entry } from './entries.ts'

/** What the filter asks for: every word must be found, every mark and tag must be there. */
export interface Filter {
  readonly words: readonly string[]
  readonly marks: readonly string[]
  readonly tags: readonly string[]
}

/** Reads `read file mark:ro tag:weather`. */
export function readFilter(text: string): Filter {
  const tokens = text
    .toLowerCase()
    .split(/\s+/)
    .filter((token) => token !== '')
  return {
    words: tokens.filter((token) => !token.startsWith('mark:') && !token.startsWith('tag:')),
    marks: valuesOf(tokens, 'mark:'),
    tags: valuesOf(tokens, 'tag:'),
  }
}

function valuesOf(tokens: readonly string[], key: string): readonly string[] {
  return tokens
    .filter((token) => token.startsWith(key) && token !== key)
    .map((token) => token.slice(key.length))
}

/** Returns whether the filter lets everything through. */
export function isEmptyFilter(filter: Filter): boolean {
  return filter.words.length === 0 && filter.marks.length === 0 && filter.tags.length === 0
}

/** Whether an entry contains every word and has every mark and tag; the first letters of a mark or tag are enough. */
export function matchesFilter(entry: Entry, filter: Filter): boolean {
  return (
    filter.words.every((word) => entry.haystack.includes(word)) &&
    filter.marks.every((mark) =>
      mark === 'malformed'
        ? entry.malformed !== undefined
        : entry.marks.some((own) => own.word.startsWith(mark)),
    ) &&
    filter.tags.every((tag) => entry.tags.some((own) => own.toLowerCase().startsWith(tag)))
  )
}
