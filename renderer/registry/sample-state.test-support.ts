import type { RegistryEntry, Script } from '../../server-core/host/contract/registry.ts'

/** A tool as the host lists it. */
export function sampleEntry(name: string, change: Partial<RegistryEntry> = {}): RegistryEntry {
  return {
    key: `tool:${name}`,
    kind: 'tool',
    name,
    shownName: name,
    origin: { kind: 'script', label: 'tools/notes.ts', file: 'tools/notes.ts' },
    enabled: true,
    state: 'served',
    calls: 0,
    failures: 0,
    subscriptions: 0,
    ...change,
  }
}

/** A script that loaded. */
export function sampleScript(file: string, change: Partial<Script> = {}): Script {
  return { file, revision: 1, answering: 1, state: 'loaded', at: 0, entries: [], imports: [], ...change }
}
