import { Observable } from '../state/observable.ts'
import type { Place } from './editor-props.ts'

/** Something wrong in a file, as the language server or the loading of it found. */
export type Problem = Place & {
  readonly severity: 'error' | 'warning' | 'info' | 'hint'
  readonly message: string
  /** Who found it and what they call it, such as `ts 2322`. */
  readonly source: string | undefined
}

/** What is wrong in the files that are open, by file, in the order of the lines. */
export const problems = new Observable<ReadonlyMap<string, readonly Problem[]>>(new Map())

/** Replaces what is wrong in one file; nothing is known of it without `found`. */
export function setProblems(file: string, found: readonly Problem[] | undefined): void {
  const before = problems.get()
  if (found === undefined && !before.has(file)) return
  const next = new Map(before)
  if (found === undefined) next.delete(file)
  else next.set(file, found)
  problems.set(next)
}
