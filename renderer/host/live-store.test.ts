import { describe, expect, it } from 'vitest'
import type { RegistryState, ScriptLogLine } from '../../server-core/host/contract/registry.ts'
import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import { LiveStore } from './live-store.ts'

function exchange(id: string, bytes = 0): Exchange {
  return {
    id,
    serverId: 's',
    serverName: 's',
    side: 'client',
    kind: 'request',
    direction: 'sent',
    method: 'ping',
    label: '',
    startedAt: 0,
    outcome: 'open',
    bytes,
    frames: [],
    count: 1,
  }
}

const registry = (folder: string): RegistryState => ({
  workspace: { folder, name: 'w', isDefault: false },
  trust: 'trusted',
  wouldRun: [],
  opening: false,
  serving: true,
  entries: [],
  scripts: [],
  faults: [],
  added: [],
  clients: [],
  toolHost: { spareReady: true },
})

const ids = (store: LiveStore): string[] => store.exchanges.get().rows.map((row) => row.id)

describe('LiveStore', () => {
  it('keeps a row in its place while it grows, and tells by the version', () => {
    const store = new LiveStore()
    store.apply({ seq: 1, exchanges: [exchange('a'), exchange('b')] })
    const { version } = store.exchanges.get()
    store.apply({ seq: 2, exchanges: [exchange('a', 5), exchange('c')] })
    expect(ids(store)).toEqual(['a', 'b', 'c'])
    expect(store.exchanges.get().rows[0]?.bytes).toBe(5)
    expect(store.exchanges.get().version).toBeGreaterThan(version)
  })

  it('takes rows away, and all of them when the log was cleared', () => {
    const store = new LiveStore()
    store.apply({ seq: 1, exchanges: [exchange('a'), exchange('b'), exchange('c')] })
    store.apply({ seq: 2, removed: ['a'] })
    store.apply({ seq: 3, exchanges: [exchange('c', 9)] })
    expect(ids(store)).toEqual(['b', 'c'])
    store.apply({ seq: 4, cleared: true, exchanges: [exchange('d')] })
    expect(ids(store)).toEqual(['d'])
  })

  it('shows only what the new watch says after the connection was opened again', () => {
    const store = new LiveStore()
    store.apply({ seq: 1, exchanges: [exchange('a')] })
    store.begin()
    expect(ids(store)).toEqual(['a'])
    store.apply({ seq: 1 })
    expect(ids(store)).toEqual([])
  })

  it('keeps the log of one workspace of one host', () => {
    const store = new LiveStore()
    const line = (id: number): ScriptLogLine => ({
      id,
      file: 'tools/a.ts',
      revision: 1,
      at: 0,
      kind: 'info',
      text: `line ${id}`,
    })
    const lines = (): number[] => store.scriptLog.get().map(({ id }) => id)
    store.apply({ seq: 1, registry: registry('/one'), scriptLog: [line(1)] })
    store.apply({ seq: 2, registry: registry('/one'), scriptLog: [line(2)] })
    store.apply({ seq: 3, scriptLog: [line(3)] })
    expect(lines()).toEqual([1, 2, 3])
    store.apply({ seq: 4, registry: registry('/other'), scriptLog: [line(1)] })
    expect(lines()).toEqual([1])
    store.begin()
    store.apply({ seq: 1, scriptLog: [line(1), line(2)] })
    expect(lines()).toEqual([1, 2])
  })

  it('tells nobody of what did not change', () => {
    const store = new LiveStore()
    store.apply({ seq: 1, exchanges: [exchange('a')] })
    let told = 0
    store.exchanges.subscribe(() => (told += 1))
    store.apply({ seq: 2, counts: { frames: 1, bytes: 1, dropped: 0 } })
    expect(told).toBe(0)
  })

  it('keeps the newest progress of each call, of a bounded number', () => {
    const store = new LiveStore()
    for (let index = 0; index < 300; index += 1) {
      store.apply({ seq: index, progress: [{ callId: `c${index}`, progress: index }] })
    }
    expect(store.progress.get().size).toBe(200)
    expect(store.progress.get().get('c299')?.progress).toBe(299)
    expect(store.progress.get().has('c0')).toBe(false)
  })
})
