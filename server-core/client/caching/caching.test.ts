import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import { TransportError } from '../../ports/contract.ts'
import { readResource } from '../requests/read.ts'
import { connect } from '../connect.ts'
import { ResultCache } from './result-cache.ts'
import {
  closeAll,
  connectedTo,
  DISCOVERED,
  scriptedServer,
  type Heard,
  type Script,
  type Side,
} from '../scripted-server.test-support.ts'

afterEach(closeAll)

const public_ = { cacheScope: 'public', ttlMs: 1_000 }
const private_ = { cacheScope: 'private', ttlMs: 1_000 }

/** Time passes when a test lets it. */
const clock = () => {
  let at = 1_000_000
  return { now: () => at, pass: (milliseconds: number) => (at += milliseconds) }
}

/** A server that counts its answers; `facts` are in each of them. */
const counting = (
  facts: JsonObject,
): { readonly script: Script; readonly writeStderr: (params: JsonObject) => void } => {
  let count = 0
  let open: Side | undefined
  return {
    script: (heard, side) => {
      open = side
      if (heard.method === 'resources/read') {
        const { uri } = heard.params
        side.result(heard, { contents: [{ uri, text: String((count += 1)) }], ...facts })
      } else side.result(heard, { tools: [], resources: [], prompts: [], ...facts })
    },
    writeStderr: ({ method, ...params }) => open?.send({ jsonrpc: '2.0', method, params }),
  }
}

const connected = async (script: Script, more: { cache?: ResultCache; who?: () => string } = {}) => {
  const { cache = new ResultCache(), who = () => '' } = more
  return connectedTo('modern', script, { cache: { cache, server: 's', authorization: who } })
}

describe('a result that may be kept', () => {
  it('is not asked for again while it is fresh, and says that it was kept', async () => {
    const { now, pass } = clock()
    const { connection, methods } = await connected(counting(private_).script, {
      cache: new ResultCache({ now }),
    })
    const first = await readResource(connection, 'a:1')
    expect(first.fromCache).toBeUndefined()
    pass(999)
    const again = await readResource(connection, 'a:1')
    expect(again.contents).toEqual(first.contents)
    expect(again.fromCache).toEqual({ receivedAt: 1_000_000, ttlMs: 1_000, scope: 'private', isStale: false })
    expect(again.bytes).toBe(first.bytes)
    await readResource(connection, 'a:2')
    pass(1)
    expect((await readResource(connection, 'a:1')).fromCache).toBeUndefined()
    expect(methods()).toHaveLength(3)
  })

  it('is asked for where a request says so, and kept or not', async () => {
    const { connection, methods } = await connected(counting(public_).script)
    const text = async (cache?: 'off' | 'refresh' | 'use') =>
      (await readResource(connection, 'a:1', cache && { cache })).contents[0]?.['text']
    expect([await text(), await text('off'), await text(), await text('refresh'), await text()]).toEqual([
      '1',
      '2',
      '1',
      '3',
      '3',
    ])
    expect(methods()).toHaveLength(3)
  })

  it.each([
    ['no time', {}],
    ['a time of 0', { ttlMs: 0, cacheScope: 'public' }],
    ['a negative time', { ttlMs: -5, cacheScope: 'public' }],
    ['an invalid time', { ttlMs: '9', cacheScope: 'public' }],
  ])('is not kept with %s', async (_what, facts) => {
    const { connection, methods } = await connected(counting(facts).script)
    await readResource(connection, 'a:1')
    await readResource(connection, 'a:1')
    expect(methods()).toHaveLength(2)
  })

  it('goes to others only if it is public: a private one belongs to one authorization', async () => {
    const cache = new ResultCache()
    for (const [facts, times] of [
      [private_, 2],
      [{ ttlMs: 1_000 }, 2],
      [public_, 1],
    ] as const) {
      const { script } = counting(facts)
      const seen: string[] = []
      const listening: Script = (heard, side, n) => {
        seen.push(heard.method)
        script(heard, side, n)
      }
      const uri = `a:${JSON.stringify(facts)}`
      for (const who of ['ada', 'bob', 'ada', 'bob']) {
        const { connection } = await connected(listening, { cache, who: () => who })
        await readResource(connection, uri)
      }
      expect(seen).toHaveLength(times)
    }
  })

  it('is not kept if the authorization changed while it was asked for', async () => {
    let who = 'ada'
    const { connection, methods } = await connected(
      (heard, side) => {
        who = 'bob'
        side.result(heard, { contents: [], ...private_ })
      },
      { who: () => who },
    )
    await readResource(connection, 'a:1')
    await readResource(connection, 'a:1')
    expect(methods()).toHaveLength(2)
  })

  it('is dropped by the notice that it changed, the resource above it too', async () => {
    const { script, writeStderr: writeStderr } = counting(public_)
    const { connection, heard } = await connected(script)
    const uris = () => heard().map(({ params, method }) => params['uri'] ?? method)
    const all = async () => {
      await connection.listTools()
      await connection.listResources()
      await connection.listResourceTemplates()
      for (const uri of ['f:a', 'f:a/b', 'f:ab']) await readResource(connection, uri)
    }
    await all()
    const told = (name: string) =>
      new Promise((resolve) =>
        connection.on('notification', ({ method }) => {
          if (method === name) resolve(undefined)
        }),
      )
    const asked = uris().length
    const updated = told('notifications/resources/updated')
    writeStderr({ method: 'notifications/resources/updated', uri: 'f:a/b' })
    await updated
    await all()
    expect(uris().slice(asked)).toEqual(['f:a', 'f:a/b'])
    const changed = told('notifications/resources/list_changed')
    writeStderr({ method: 'notifications/resources/list_changed' })
    await changed
    await all()
    expect(uris().slice(asked + 2)).toEqual(['resources/list', 'resources/templates/list'])
  })

  it('is not kept if it changed while it was asked for', async () => {
    const { connection, methods } = await connected((heard, side) => {
      side.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
      side.result(heard, { tools: [], ...public_ })
    })
    await connection.listTools()
    await connection.listTools()
    expect(methods()).toHaveLength(2)
  })

  it('is never one of several rounds', async () => {
    const { connection, methods } = await connectedTo(
      'modern',
      (heard, side) =>
        side.result(
          heard,
          heard.params['inputResponses'] === undefined
            ? { resultType: 'input_required', inputRequests: { r: { method: 'roots/list' } }, ...public_ }
            : { contents: [], ...public_ },
        ),
      { responders: { roots: () => Promise.resolve({ roots: [] }) } },
    )
    await readResource(connection, 'a:1')
    await readResource(connection, 'a:1')
    expect(methods()).toHaveLength(4)
  })

  it('is given late rather than not at all where that is wanted, but never in place of an error', async () => {
    const { now, pass } = clock()
    let how: 'answers' | 'fails' | 'refuses' = 'answers'
    const { connection } = await connected(
      (heard: Heard, side: Side) => {
        if (how === 'answers') side.result(heard, { contents: [{ uri: 'a:1', text: 'x' }], ...public_ })
        else if (how === 'fails') side.fail(heard, new TransportError('connection-failed', 'refused'))
        else side.error(heard, -32602, 'no such resource')
      },
      { cache: new ResultCache({ now }) },
    )
    await readResource(connection, 'a:1')
    pass(5_000)
    how = 'fails'
    await expect(readResource(connection, 'a:1')).rejects.toMatchObject({ code: 'transport' })
    const stale = await readResource(connection, 'a:1', { staleIfError: true })
    expect(stale.fromCache).toMatchObject({ isStale: true })
    how = 'refuses'
    await expect(readResource(connection, 'a:1', { staleIfError: true })).rejects.toMatchObject({
      code: -32602,
    })
  })

  it('makes room for newer ones', async () => {
    const { connection, methods } = await connected(counting(public_).script, {
      cache: new ResultCache({ maxBytes: 400 }),
    })
    for (const uri of ['a:1', 'a:2', 'a:3', 'a:4', 'a:1']) await readResource(connection, uri)
    expect(methods()).toHaveLength(5)
  })
})

describe('pages', () => {
  const tool = (name: string) => ({ name, inputSchema: { type: 'object' } })

  it('have times of their own and one scope: a page of a private list is private', async () => {
    const cache = new ResultCache()
    const seen: unknown[] = []
    const script: Script = (heard, side) => {
      seen.push(heard.params['cursor'])
      if (heard.params['cursor'] === undefined)
        side.result(heard, { tools: [tool('a')], nextCursor: 'n', ...private_ })
      else side.result(heard, { tools: [tool('b')], ...public_ })
    }
    for (const [who, kept] of [
      ['ada', undefined],
      ['ada', true],
      ['bob', undefined],
    ] as const) {
      const { connection } = await connected(script, { cache, who: () => who })
      const { items, fromCache } = await connection.listTools()
      expect([items.length, fromCache]).toEqual([2, kept])
    }
    expect(seen).toEqual([undefined, 'n', undefined, 'n'])
  })

  it('are all dropped and read again, once, when a cursor fails', async () => {
    const { now, pass } = clock()
    let generation = 1
    const { connection, heard } = await connected(
      (each, side) => {
        const { cursor } = each.params
        if (cursor === undefined)
          side.result(each, {
            tools: [tool(`a${generation}`)],
            nextCursor: `c${generation}`,
            cacheScope: 'public',
            ttlMs: 9_000,
          })
        else if (cursor !== `c${generation}`) side.error(each, -32602, 'Invalid cursor')
        else side.result(each, { tools: [tool(`b${generation}`)], cacheScope: 'public', ttlMs: 10 })
      },
      { cache: new ResultCache({ now }) },
    )
    const names = async () => (await connection.listTools()).items.map(({ name }) => name)
    expect(await names()).toEqual(['a1', 'b1'])
    generation = 2
    pass(100)
    // The first page is still fresh, and its cursor is not known any more.
    expect(await names()).toEqual(['a2', 'b2'])
    expect(heard().map(({ params }) => params['cursor'])).toEqual([undefined, 'c1', 'c1', undefined, 'c2'])
  })
})

it('keeps the answer that led to the revision, as long as it says', async () => {
  const discovered =
    (ttlMs: number): Script =>
    (heard, side) => {
      side.result(heard, { ...DISCOVERED, ttlMs })
    }
  for (const [ttlMs, times] of [
    [60_000, 1],
    [0, 2],
  ] as const) {
    const { open, heard } = scriptedServer(discovered(ttlMs))
    const connection = await connect({ open, identity: { name: 'patchbay', version: '0' } })
    const { result, fromCache } = await connection.request('server/discover')
    expect(result).toMatchObject({ supportedVersions: ['2026-07-28'] })
    expect(fromCache?.ttlMs).toBe(ttlMs === 0 ? undefined : ttlMs)
    expect(heard).toHaveLength(times)
    await connection.close()
  }
})
