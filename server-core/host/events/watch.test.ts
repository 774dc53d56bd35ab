import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Batch } from '../contract/events.ts'
import type { ShownRow } from '../../capture/exchange.ts'
import type { Exchange } from '../contract/traffic.ts'
import { EventHub } from './event-hub.ts'

function exchange(id: string, label = ''): Exchange {
  return {
    id,
    serverId: 's',
    serverName: 's',
    side: 'client',
    kind: 'request',
    direction: 'sent',
    method: 'ping',
    label,
    startedAt: 0,
    outcome: 'open',
    bytes: 0,
    frames: [],
    count: 1,
  }
}

/** Rows as the log hands them out: one object for each id, which is read when it is sent. */
function shownRows() {
  const newest = new Map<string, Exchange>()
  const known = new Map<string, ShownRow>()
  const dropped = new Set<string>()
  const shown = (row: Exchange): ShownRow => {
    newest.set(row.id, row)
    const before = known.get(row.id)
    if (before !== undefined) return before
    const next: ShownRow = {
      get isDropped() {
        return dropped.has(row.id)
      },
      read: () => newest.get(row.id) ?? row,
    }
    known.set(row.id, next)
    return next
  }
  return { shown, dropped }
}

function setUp(rows: Exchange[] = []) {
  const { shown, dropped } = shownRows()
  const hub = new EventHub()
  let reads = 0
  hub.connect({
    registry: () => ({
      workspace: { folder: '/', name: 'none', isDefault: false, generation: 1 },
      trust: 'asked',
      wouldRun: [],
      serving: true,
      entries: [],
      scripts: [],
      faults: [],
      added: [],
      clients: [],
      opening: false,
      toolHost: { spareReady: false },
    }),
    registryActivity: (keys) => ({
      entries: keys.map((key) => ({ key, calls: 1, failures: 0 })),
      clients: [],
      toolHost: { spareReady: false },
      workers: {},
    }),
    servers: () => {
      reads += 1
      return []
    },
    notices: () => [],
    embedded: () => ({ status: 'stopped', port: 0, tokenRequired: false, otherClients: 0, keepsPort: true }),
    inspections: () => [],
    latencies: () => [],
    tasks: () => [],
    inbox: () => [],
    authorizations: () => [],
    faults: () => ({ settings: { on: true, seed: 1, rules: [] }, active: 0, counts: {}, recent: [] }),
    mocks: () => ({ entries: [], overrides: [], problems: [] }),
    taps: () => ({ taps: [] }),
    conformance: () => ({}),
    counts: () => ({ frames: rows.length, bytes: 0, dropped: 0 }),
    rows: () => rows.map(shown),
  })
  const abort = new AbortController()
  const batches = hub.watch('page', abort.signal)
  const next = async (): Promise<Batch> => {
    const { value } = await batches.next()
    if (value === undefined) throw new Error('the watch has ended')
    return value
  }
  const acknowledge = (batch: Batch): boolean => hub.acknowledge('page', batch.seq)
  const traffic = (rows: Exchange[], removed: string[] = [], cleared = false): void => {
    for (const id of removed) dropped.add(id)
    hub.publish({
      type: 'traffic',
      rows: rows.map(shown),
      removed,
      cleared,
      counts: { frames: 0, bytes: 0, dropped: 0 },
    })
  }
  return { hub, abort, batches, next, acknowledge, traffic, reads: () => reads }
}

afterEach(() => {
  vi.useRealTimers()
})

describe('a watch', () => {
  it('begins with the whole present state', async () => {
    const { next } = setUp([exchange('a'), exchange('b')])
    const first = await next()
    expect(first).toMatchObject({
      seq: 1,
      cleared: true,
      servers: [],
      notices: [],
      embedded: { status: 'stopped' },
    })
    expect(first.exchanges?.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  it('gives no batch before the last one was acknowledged, and then everything merged into one', async () => {
    vi.useFakeTimers()
    const { hub, next, acknowledge, traffic, reads } = setUp()
    const first = await next()
    const before = reads()
    let second: Batch | undefined
    const waiting = next().then((batch) => (second = batch))
    for (let n = 0; n < 10_000; n += 1) {
      hub.publish({ type: 'part', part: 'servers' })
      hub.publish({ type: 'lists', serverId: `s${n % 3}`, kinds: n < 3 ? ['prompts'] : ['tools'] })
      hub.publish({ type: 'progress', progress: { callId: 'c', progress: n } })
      traffic([exchange('a', String(n)), exchange(`row ${n % 5}`)])
    }
    await vi.advanceTimersByTimeAsync(10_000)
    expect(second).toBeUndefined()
    expect(acknowledge({ seq: 7 })).toBe(false)
    expect(acknowledge(first)).toBe(true)
    await waiting
    expect(second).toMatchObject({
      seq: 2,
      listsChanged: ['s0', 's1', 's2'].map((serverId) => ({ serverId, kinds: ['prompts', 'tools'] })),
      progress: [{ callId: 'c', progress: 9_999 }],
    })
    expect(second?.exchanges?.map(({ id }) => id)).toEqual(['a', 'row 0', 'row 1', 'row 2', 'row 3', 'row 4'])
    expect(second?.exchanges?.[0]?.label).toBe('9999')
    expect(second?.cleared).toBeUndefined()
    // The state is read once, when the batch is made.
    expect(reads() - before).toBe(1)
  })

  it('sends what clients of the registry did without its whole state, unless that changed too', async () => {
    const { hub, next, acknowledge } = setUp()
    acknowledge(await next())
    hub.publish({ type: 'registry-activity', keys: ['tool:a'] })
    hub.publish({ type: 'registry-activity', keys: ['tool:b', 'tool:a'] })
    const second = await next()
    expect(second.registry).toBeUndefined()
    expect(second.registryActivity?.entries.map(({ key }) => key)).toEqual(['tool:a', 'tool:b'])
    acknowledge(second)
    hub.publish({ type: 'registry-activity', keys: ['tool:a'] })
    hub.publish({ type: 'part', part: 'registry' })
    const third = await next()
    expect(third.registry).toBeDefined()
    expect(third.registryActivity).toBeUndefined()
  })

  it('keeps a bounded amount for a page that never acknowledges', async () => {
    const { hub, next, acknowledge, traffic } = setUp()
    const first = await next()
    for (let n = 0; n < 50_000; n += 1) {
      hub.publish({ type: 'resource', serverId: 's', uri: `file:///${n}` })
      hub.publish({ type: 'progress', progress: { callId: String(n), progress: n } })
      // The log keeps ten rows: each new one pushes one out.
      traffic([exchange(String(n))], n < 10 ? [] : [String(n - 10)])
    }
    acknowledge(first)
    const batch = await next()
    expect(batch.resourcesUpdated).toHaveLength(1_000)
    expect(batch.listsChanged).toEqual([{ serverId: 's', kinds: ['resources'] }])
    expect(batch.progress).toHaveLength(1_000)
    expect(batch.exchanges).toHaveLength(10)
  })

  it('spreads many rows over batches, in order', async () => {
    const rows = Array.from({ length: 4_500 }, (_, n) => exchange(String(n)))
    const { next, acknowledge } = setUp(rows)
    const seen: string[] = []
    for (let n = 0; n < 5; n += 1) {
      const batch = await next()
      expect(batch.exchanges?.length).toBeLessThanOrEqual(1_000)
      seen.push(...(batch.exchanges ?? []).map(({ id }) => id))
      acknowledge(batch)
    }
    expect(seen).toEqual(rows.map(({ id }) => id))
  })

  it('reports what was dropped, and after a clear only newer rows', async () => {
    const { next, acknowledge, traffic } = setUp([exchange('a'), exchange('b')])
    acknowledge(await next())
    traffic([exchange('c')], ['a'])
    const second = await next()
    expect(second).toMatchObject({ removed: ['a'] })
    traffic([exchange('d')], ['b'])
    traffic([exchange('c'), exchange('e')], [], true)
    acknowledge(second)
    const third = await next()
    expect(third).toMatchObject({ cleared: true })
    expect(third.removed).toBeUndefined()
    expect(third.exchanges?.map(({ id }) => id)).toEqual(['c', 'e'])
  })

  it('comes at most once a frame', async () => {
    vi.useFakeTimers()
    const { next, abort, acknowledge, traffic } = setUp()
    acknowledge(await next())
    let given = 0
    const reading = (async () => {
      for (;;) {
        acknowledge(await next())
        given += 1
      }
    })().catch(() => undefined)
    for (let n = 0; n < 1_000; n += 1) {
      traffic([exchange(String(n))])
      await vi.advanceTimersByTimeAsync(1)
    }
    expect(given).toBeGreaterThan(50)
    expect(given).toBeLessThanOrEqual(63)
    abort.abort()
    await vi.advanceTimersByTimeAsync(100)
    await reading
  })

  it('ends with its page, and leaves nothing behind', async () => {
    const { hub, next, abort, batches } = setUp()
    await next()
    expect(hub.watches).toBe(1)
    const end = batches.next()
    abort.abort()
    expect(await end).toEqual({ value: undefined, done: true })
    expect(hub.watches).toBe(0)
  })

  it('of a page that was loaded again takes the place of the old one', async () => {
    const { hub, next, batches } = setUp()
    await next()
    const end = batches.next()
    const again = hub.watch('page', undefined)
    expect((await again.next()).value).toMatchObject({ seq: 1, cleared: true })
    expect(await end).toMatchObject({ done: true })
    await again.return()
    expect(hub.watches).toBe(0)
  })
})
