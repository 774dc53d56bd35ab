import type { Note } from './note.ts'

/** Characters shown before and after the first place that was found. */
const EXCERPT_MARGIN = 60
/** What a word is worth by where it stands. */
const IN_TITLE = 3
const IN_TAG = 2
const IN_TEXT = 1
/** Shorter words say little. */
export const MIN_WORD_LENGTH = 4

/** The notes that contain every word, best first. */
export function foundNotes(notes: readonly Note[], words: readonly string[]): readonly Note[] {
  return notes
    .map((note) => ({ note, score: scoreOf(note, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ note }) => note)
}

/** The text around the first word that is found in it, on one line. */
export function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place !== -1)
  const place = places.length === 0 ? 0 : Math.min(...places)
  const from = Math.max(0, place - EXCERPT_MARGIN)
  const to = place + EXCERPT_MARGIN
  const line = text.slice(from, to).replace(/\s+/g, ' ').trim().toWellFormed()
  return `${from > 0 ? '…' : ''}${line}${to < text.length ? '…' : ''}`
}

/** The words of a text, in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Zero unless every word is in the note. */
function scoreOf({ title, tags, text }: Note, words: readonly string[]): number {
  const [inTitle, inTags, inText] = [title, tags.join('\n'), text].map((part) => part.toLowerCase())
  let score = 0
  for (const word of words) {
    const worth =
      (inTitle?.includes(word) === true ? IN_TITLE : 0) +
      (inTags?.includes(word) === true ? IN_TAG : 0) +
      (inText?.includes(word) === true ? IN_TEXT : 0)
    if (worth === 0) return 0
    score += worth
  }
  return score
}
