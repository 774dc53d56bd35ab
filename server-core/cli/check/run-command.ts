import type { Cell } from '../../conformance/verdict.ts'
import type { RunSettings } from './report-flags.ts'

/** The part of a run that a repeated one has too. */
export type Repeated = Pick<RunSettings, 'slow' | 'ends' | 'destructive' | 'suite'> & {
  readonly seed: number
}

/** The words of the command that repeats a run, or one check of it. */
export function repeatingWords(
  name: 'check' | 'exam',
  { slow, ends, destructive, suite, seed }: Repeated,
  only?: { readonly id: string; readonly cell: Cell },
): readonly string[] {
  const flag = (isSet: boolean, word: string) => (isSet ? [word] : [])
  return [
    'patchbay',
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
