import { Observable } from '../state/observable.ts'
import { readFilter } from './filter.ts'
import { timeline } from './selection.ts'

/** What is typed as the filter, and why it cannot be read. As the rows that it chooses, it outlives the panel. */
export const typedFilter = new Observable<{ readonly text: string; readonly problem: string | undefined }>({
  text: '',
  problem: undefined,
})

/** Filters by what is typed; text that cannot be read leaves the rows as they are. */
export function changeFilter(text: string): void {
  const read = readFilter(text, Date.now())
  typedFilter.set({ text, problem: read.ok ? undefined : read.problem })
  if (read.ok) timeline.filter(read.terms)
}
