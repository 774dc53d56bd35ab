import { describe, expect, it } from 'vitest'
import type { RegistryState, ScriptLog } from '../../server-core/host/contract/registry.ts'
import type { ServerState } from '../../server-core/host/contract/servers.ts'
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

const registry = (folder: string, generation = 1): RegistryState => ({
  workspace: { folder, name: 'w', isDefault: false, generation },
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

const ids = (store: LiveStore): string[] => store.exchanges.get().rows.flatMap((row) => row?.id ?? [])

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

  describe('the log', () => {
    const log = (generation: number, ...ids: number[]): ScriptLog => ({
      generation,
      lines: ids.map((id) => ({
        id,
        file: 'tools/a.ts',
        revision: 1,
        at: 0,
        kind: 'info',
        text: `line ${id}`,
      })),
    })
    const lines = (store: LiveStore): number[] => store.scriptLog.get().map(({ id }) => id)

    it('is that of one workspace of one host', () => {
      const store = new LiveStore()
      store.apply({ seq: 1, registry: registry('/one', 1), scriptLog: log(1, 1) })
      store.apply({ seq: 2, registry: registry('/one', 1), scriptLog: log(1, 2) })
      store.apply({ seq: 3, scriptLog: log(1, 3) })
      expect(lines(store)).toEqual([1, 2, 3])
      store.apply({ seq: 4, registry: registry('/other', 2), scriptLog: log(2, 1) })
      expect(lines(store)).toEqual([1])
      store.begin()
      store.apply({ seq: 1, registry: registry('/other', 2), scriptLog: log(2, 1, 2) })
      expect(lines(store)).toEqual([1, 2])
    })

    it('begins again when the reply to an action is the first to show another workspace', () => {
      const store = new LiveStore()
      store.apply({ seq: 1, registry: registry('/one', 1), scriptLog: log(1, 1, 2) })
      store.applyRegistry(registry('/other', 2))
      expect(lines(store)).toEqual([])
      store.apply({ seq: 2, registry: registry('/other', 2), scriptLog: log(2, 1) })
      expect(lines(store)).toEqual([1])
    })

    it('begins again when the same folder is opened again', () => {
      const store = new LiveStore()
      store.apply({ seq: 1, registry: registry('/one', 1), scriptLog: log(1, 1, 2) })
      store.apply({ seq: 2, registry: registry('/one', 2), scriptLog: log(2, 1) })
      expect(lines(store)).toEqual([1])
    })

    it('has no late lines of the workspace before', () => {
      const store = new LiveStore()
      store.apply({ seq: 1, registry: registry('/one', 1), scriptLog: log(1, 1) })
      store.applyRegistry(registry('/other', 2))
      store.apply({ seq: 2, scriptLog: log(1, 2) })
      store.apply({ seq: 3, registry: registry('/other', 2), scriptLog: log(1, 3) })
      expect(lines(store)).toEqual([])
    })
  })

  it('does not go back to a workspace by a late reply', () => {
    const store = new LiveStore()
    store.apply({ seq: 1, registry: registry('/other', 2) })
    store.applyRegistry(registry('/one', 1))
    expect(store.parts.registry.get()?.workspace.folder).toBe('/other')
    store.applyRegistry({ ...registry('/other', 2), serving: false })
    expect(store.parts.registry.get()?.serving).toBe(false)
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

  it('takes in what clients did, and leaves the other entries as they are', () => {
    const store = new LiveStore()
    const entry = (key: string): RegistryState['entries'][number] => ({
      key,
      kind: 'tool',
      name: key,
      shownName: key,
      origin: { kind: 'built-in', label: '' },
      enabled: true,
      state: 'served',
      calls: 0,
      failures: 0,
      subscriptions: 0,
    })
    const before = { ...registry('/'), entries: [entry('a'), entry('b')] }
    store.apply({ seq: 1, registry: before })
    const activity = { clients: [], toolHost: { pid: 7, spareReady: true }, workers: {} }
    const lastCaller = { name: 'somebody', at: 1 }
    store.apply({
      seq: 2,
      registryActivity: { ...activity, entries: [{ key: 'b', calls: 3, failures: 1, lastCaller }] },
    })
    const after = store.parts.registry.get()
    expect(after?.entries[1]).toEqual({ ...before.entries[1], calls: 3, failures: 1, lastCaller })
    expect(after?.entries[0]).toBe(before.entries[0])
    expect(after?.clients).toBe(before.clients)
    expect(after?.toolHost.pid).toBe(7)
    store.apply({ seq: 3, registryActivity: { ...activity, entries: [] } })
    expect(store.parts.registry.get()?.entries).toBe(after?.entries)
  })

  it('keeps the same object for a server that did not change', () => {
    const store = new LiveStore()
    const server = (id: string, status: 'connected' | 'connecting'): ServerState => ({
      id,
      name: id,
      origin: 'user',
      transport: 'stdio',
      chosen: { transport: 'stdio', protocol: 'auto' },
      declaration: { identity: { name: 'x', version: '1' }, capabilities: {}, isChosen: false },
      summary: '',
      approval: 'approved',
      status,
      probe: [],
    })
    store.apply({ seq: 1, servers: [server('a', 'connected'), server('b', 'connecting')] })
    const [a, b] = store.parts.servers.get()
    store.apply({ seq: 2, servers: [server('a', 'connected'), server('b', 'connected')] })
    expect(store.parts.servers.get()[0]).toBe(a)
    expect(store.parts.servers.get()[1]).not.toBe(b)
    const all = store.parts.servers.get()
    store.apply({ seq: 3, servers: [server('a', 'connected'), server('b', 'connected')] })
    expect(store.parts.servers.get()).toBe(all)
  })
})
