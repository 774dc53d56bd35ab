import type { Entry } from './entries.ts'

/** What the filter asks for: every word must be found, every mark must be there. */
export interface Filter {
  readonly words: readonly string[]
  readonly marks: readonly string[]
}

/** Reads `read file mark:ro`. */
export function readFilter(text: string): Filter {
  const tokens = text
    .toLowerCase()
    .split(/\s+/)
    .filter((token) => token !== '')
  return {
    words: tokens.filter((token) => !token.startsWith('mark:')),
    marks: tokens
      .filter((token) => token.startsWith('mark:') && token !== 'mark:')
      .map((token) => token.slice(5)),
  }
}

/** Tells whether the filter lets everything through. */
export function isEmptyFilter(filter: Filter): boolean {
  return filter.words.length === 0 && filter.marks.length === 0
}

/** Tells whether an entry has every word and every mark; a mark may be given by its first letters. */
export function matchesFilter(entry: Entry, filter: Filter): boolean {
  return (
    filter.words.every((word) => entry.haystack.includes(word)) &&
    filter.marks.every((mark) =>
      mark === 'malformed'
        ? entry.malformed !== undefined
        : entry.marks.some((own) => own.word.startsWith(mark)),
    )
  )
}
