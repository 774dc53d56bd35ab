import type { DefinitionDifference } from '../live/differences/definition-differences.ts'
import type { JsonObject } from '../protocol/json.ts'
import { findRenames } from './find-renames.ts'
import { LOCK_KINDS, type ContractLock, type LockEntry, type LockKind } from './lock-schema.ts'
import { proseDifferences, wireDifferences } from './wire-differences.ts'

/** How an entry of a server differs from its lock. */
export const DRIFT_TYPES = ['added', 'loosened', 'tightened', 'removed', 'renamed', 'prose'] as const
/**
 * - `added`: it is new
 * - `loosened`: it changed, and whoever called it still can
 * - `tightened`: it changed, and calls that worked, or programs that read its results, may fail
 * - `removed`: it does not exist any more
 * - `renamed`: the same exists by another name
 * - `prose`: only texts for people and models changed
 */
export type DriftType = (typeof DRIFT_TYPES)[number]

/** A difference between a lock and what the server offers now. */
export type Drift = {
  readonly type: DriftType
  readonly kind: LockKind
  /** The name, URI or template in the lock; of an added one the present. */
  readonly name: string
  /** The present name of one that was renamed. */
  readonly renamedTo?: string
  /** Whether callers that worked before may fail. */
  readonly breaking: boolean
  readonly differences: readonly DefinitionDifference[]
  readonly before?: JsonObject
  readonly after?: JsonObject
}

/** How a server has drifted from its lock, by kind and name. */
export function compareLocks(before: ContractLock, after: ContractLock): readonly Drift[] {
  return LOCK_KINDS.flatMap((kind) => compareKind(kind, before[kind], after[kind]))
}

type Entries = Readonly<Record<string, LockEntry>>

function compareKind(kind: LockKind, before: Entries, after: Entries): readonly Drift[] {
  const removed = Object.entries(before).filter(([name]) => !Object.hasOwn(after, name))
  const added = Object.entries(after).filter(([name]) => !Object.hasOwn(before, name))
  const renames = findRenames(kind, removed, added)
  const newNames = new Set(renames.values())
  return [
    ...Object.entries(before).flatMap(([name, entry]): readonly Drift[] => {
      const renamedTo = renames.get(name)
      const now = entryNamed(after, renamedTo ?? name)
      if (now === undefined)
        return [{ type: 'removed', kind, name, breaking: true, differences: [], before: entry.definition }]
      const drift = compareEntry(kind, name, entry, now)
      if (renamedTo === undefined) return drift === undefined ? [] : [drift]
      const { differences = [] } = drift ?? {}
      const definitions = { before: entry.definition, after: now.definition }
      return [{ type: 'renamed', kind, name, renamedTo, breaking: true, differences, ...definitions }]
    }),
    ...added
      .filter(([name]) => !newNames.has(name))
      .map(([name, { definition }]): Drift => ({
        ...{ type: 'added', kind, name, breaking: false, differences: [], after: definition },
      })),
  ]
}

function compareEntry(kind: LockKind, name: string, before: LockEntry, after: LockEntry): Drift | undefined {
  const [old, now] = [before.definition, after.definition]
  const isWireSame = before.wire === after.wire
  if (isWireSame && before.prose === after.prose) return undefined
  const prose = proseDifferences(old, now)
  const wire = isWireSame ? [] : wireDifferences(old, now)
  const breaking = wire.some((each) => each.breaking)
  return {
    type: isWireSame ? 'prose' : breaking ? 'tightened' : 'loosened',
    kind,
    name,
    breaking,
    differences: [...wire, ...prose],
    before: old,
    after: now,
  }
}

function entryNamed(entries: Entries, name: string): LockEntry | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined
}
