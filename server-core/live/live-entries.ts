import type { Amendments, ComposedEntry } from '../sources/compose.ts'
import type { CallCounts } from './call-counts.ts'
import type { LiveEntry, LiveFault, ScriptState } from './live-state.ts'
import { kindOfScript } from './script-files.ts'

/** What entries are described from. */
export type EntryFacts = {
  readonly composed: readonly ComposedEntry[]
  readonly scripts: readonly ScriptState[]
  readonly amendments: Amendments
  /** Whether an override replaces an entry's own result. */
  readonly isOverridden: (key: string) => boolean
  readonly counts: CallCounts
}

/** Every entry of a workspace: those that are composed, and one for each script that never loaded. */
export function liveEntries({
  composed,
  scripts,
  amendments,
  isOverridden,
  counts,
}: EntryFacts): readonly LiveEntry[] {
  const byFile = new Map(scripts.map((script) => [script.file, script]))
  const entries = composed.map(({ source: _, fault, ...entry }): LiveEntry => {
    const script = entry.origin.kind === 'script' ? byFile.get(entry.origin.label) : undefined
    const error: LiveFault | undefined = fault ?? script?.error
    const amendment = amendments[entry.key]
    return {
      ...entry,
      ...(entry.state === 'served' && isOverridden(entry.key) && { state: 'overridden' }),
      enabled: amendment?.enabled !== false,
      ...(error !== undefined && { error }),
      ...(amendment !== undefined && { amendment }),
      ...counts.of(entry.key),
    }
  })
  return [...entries, ...scripts.flatMap(neverLoaded)]
}

function neverLoaded({ file, answering, error, entries }: ScriptState): readonly LiveEntry[] {
  const kind = kindOfScript(file)
  const [key] = entries
  if (answering !== undefined || error === undefined || kind === undefined || key === undefined) return []
  const name = key.slice(kind.length + 1)
  const origin = { kind: 'script', label: file, file } as const
  return [
    {
      key,
      kind,
      name,
      shownName: name,
      origin,
      enabled: true,
      state: 'failing',
      error,
      calls: 0,
      failures: 0,
    },
  ]
}
