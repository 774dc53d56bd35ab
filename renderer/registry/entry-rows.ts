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

/** A row of the table. */
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

/** The rows that match the filter, grouped by kind. Omits empty kinds. */
export function rowsOf(
  lines: readonly EntryLine[],
  filter: EntryFilter,
  closed: ReadonlySet<EntryKind>,
): readonly EntryRow[] {
  const tests = filter.ok ? filter.value : []
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

/** Returns the row that a key moves to from the row `active`; `undefined` for other keys. */
export function nextRow(rows: readonly EntryRow[], active: number, key: string): EntryRow | undefined {
  return rowForKey(rows, active, key, FACTS)
}

/**
 * Keeps the order of `before`, so that no line moves under the pointer: updates its lines, retains removed ones, and
 * delays new ones until the order is released.
 */
export function stableLines(before: readonly EntryLine[], now: readonly EntryLine[]): readonly EntryLine[] {
  const byKey = new Map(now.map((line) => [line.key, line]))
  return before.map((line) => byKey.get(line.key) ?? line)
}
