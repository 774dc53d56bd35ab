import type { SuiteName } from '../suites/suite.ts'
import type { Cell } from '../verdict.ts'

/** The part of a run that a repeated one has too. */
export type Repeated = {
  readonly suite: SuiteName
  readonly slow: boolean
  readonly ends: boolean
  readonly destructive: boolean
  readonly seed: number
}

/** The words of the command that repeats a run, or one check of it; the program itself comes before them. */
export function repeatingWords(
  name: 'check' | 'exam',
  { slow, ends, destructive, suite, seed }: Repeated,
  only?: { readonly id: string; readonly cell: Cell },
): readonly string[] {
  const flag = (isSet: boolean, word: string) => (isSet ? [word] : [])
  return [
    name,
    ...(only === undefined
      ? suite === 'ci'
        ? []
        : ['--suite', suite]
      : ['--grep', only.id, '--revision', only.cell.revision]),
    ...flag(slow, '--slow'),
    ...flag(ends, '--ends'),
    ...flag(destructive, '--destructive'),
    '--seed',
    String(seed),
  ]
}

/** Words as a shell takes them. */
export function shellLine(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./{}-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(' ')
}
