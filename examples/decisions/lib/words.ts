/** Words that say nothing of a subject. */
const STOP_WORDS = new Set(
  (
    'a about after an and are as at be been before but by can do does for from had has have how i if in into is it its may more must ' +
    'no nor not of on or our should so such than that the their them then there these they this those to too use ' +
    'used using was we were what when where which while who why will with without would you your'
  ).split(' '),
)

const SUFFIXES = ['ations', 'ation', 'ings', 'ing', 'ies', 'ied', 'ed', 'es', 's'] as const

/** The words of a text, in lower case and without accents, in their order. */
export function wordsOf(text: string): readonly string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** The words that say something, cut to what their forms share: “migrating” and “migrations” meet at “migr”. */
export function stemsOf(text: string): readonly string[] {
  return wordsOf(text)
    .filter((word) => word.length > 1 && !STOP_WORDS.has(word))
    .map(stemOf)
}

/** A word without its ending. Crude, the same for a question and for what is searched. */
export function stemOf(word: string): string {
  const suffix = SUFFIXES.find((ending) => word.endsWith(ending) && word.length - ending.length >= 3)
  // “skipped” and “skip” meet at “skip”.
  const stem = suffix === undefined ? word : word.slice(0, -suffix.length).replace(/([bdglmnprst])\1$/, '$1')
  return stem.length > 4 && /(?:e|at)$/.test(stem) ? stem.replace(/(?:e|at)$/, '') : stem
}
