import { rowForKey, type RowFacts } from '../controls/row-keys.ts'
import type { EntryKind } from '../../server-core/host/contract/registry.ts'
import type { EntryLine } from './entry-line.ts'
import type { EntryFilter } from './entry-filter.ts'

export const kindTitles: Readonly<Record<EntryKind, string>> = {
  tool: 'Tools',
  resource: 'Resources',
  template: 'Templates',
  prompt: 'Prompts',
}
const KINDS = Object.keys(kindTitles) as EntryKind[]

/** A row of the table, in the order they are seen. */
export type EntryRow =
  | {
      readonly type: 'group'
      readonly key: string
      readonly kind: EntryKind
      readonly isOpen: boolean
      readonly shown: number
      readonly total: number
    }
  | { readonly type: 'entry'; readonly key: string; readonly line: EntryLine }

/** The rows that the filter lets through, grouped by kind. Kinds of which there is nothing have no row. */
export function rowsOf(
  lines: readonly EntryLine[],
  filter: EntryFilter,
  closed: ReadonlySet<EntryKind>,
): readonly EntryRow[] {
  const tests = filter.ok ? filter.tests : []
  return KINDS.flatMap((kind) => {
    const all = lines.filter((line) => line.kind === kind)
    const shown = all.filter((line) => tests.every((test) => test(line)))
    if (shown.length === 0) return []
    const isOpen = !closed.has(kind)
    const group: EntryRow = {
      type: 'group',
      key: `group ${kind}`,
      kind,
      isOpen,
      shown: shown.length,
      total: all.length,
    }
    return [group, ...(isOpen ? shown : []).map((line): EntryRow => ({ type: 'entry', key: line.key, line }))]
  })
}

const FACTS: RowFacts<EntryRow> = {
  isGroup: (row) => row.type === 'group',
  nameOf: (row) => (row.type === 'entry' ? row.line.name : undefined),
}

/** The row that a key leads to from the row at `active`; `undefined` if the key leads nowhere. */
export function nextRow(rows: readonly EntryRow[], active: number, key: string): EntryRow | undefined {
  return rowForKey(rows, active, key, FACTS)
}

/**
 * The lines in an order that does not move under the pointer: those of `before` at their places, as they are now or,
 * once gone, as they were. What is new waits until the order is no longer held.
 */
export function heldLines(before: readonly EntryLine[], now: readonly EntryLine[]): readonly EntryLine[] {
  const byKey = new Map(now.map((line) => [line.key, line]))
  return before.map((line) => byKey.get(line.key) ?? line)
}
