import { describe, expect, it } from 'vitest'
import type { Frame, HttpFacts } from '../ports/tap.ts'
import type { TrafficChange } from './exchange.ts'
import { call, encoder, facts, message, notify, result, SOURCE, talk } from './sample-frames.test-support.ts'
import { TrafficLog } from './traffic-log.ts'

describe('requests', () => {
  it('is one row with its answer', () => {
    const { rows } = talk(message('sent', call(1)), message('received', result(1)))
    expect(rows).toMatchObject([
      {
        kind: 'request',
        direction: 'sent',
        method: 'tools/call',
        label: 'forecast',
        outcome: 'ok',
        frames: [1, 2],
      },
    ])
    expect(rows[0]?.endedAt).toBeGreaterThanOrEqual(rows[0]?.startedAt ?? Infinity)
  })

  it('keeps the type of an id', () => {
    const { rows } = talk(
      message('sent', call(1, 'number')),
      message('sent', call('1', 'string')),
      message('received', result('1')),
    )
    expect(rows.map(({ label, outcome }) => [label, outcome])).toEqual([
      ['number', 'open'],
      ['string', 'ok'],
    ])
  })

  it('tells errors with code and message, and errors of tools', () => {
    const { rows } = talk(
      message('sent', call(1)),
      message('received', {
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32002, message: 'Resource\u202e not found' },
      }),
      message('sent', call(2)),
      message('received', result(2, { isError: true, content: [{ type: 'text', text: 'No such city' }] })),
    )
    expect(rows).toMatchObject([
      { outcome: 'error', errorCode: -32002, errorMessage: 'Resource⟨U+202E⟩ not found' },
      { outcome: 'tool-error', errorMessage: 'No such city' },
    ])
  })

  it('shows late, second and unknown answers without giving them to the wrong request', () => {
    const { rows } = talk(
      message('sent', call(1)),
      message('received', result(1)),
      message('received', result(1, { content: [], isError: true })),
      message('received', result(99)),
    )
    expect(rows).toMatchObject([
      { outcome: 'ok', frames: [1, 2] },
      { kind: 'invalid', parentId: rows[0]?.id, errorMessage: 'a second answer to id 1' },
      { kind: 'invalid', errorMessage: 'an answer to the unknown id 99' },
    ])
  })

  it('answers two requests of the same id in the order they came', () => {
    const { rows } = talk(
      message('sent', call(1, 'first')),
      message('sent', call(1, 'second')),
      message('received', result(1)),
      message('received', { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } }),
    )
    expect(rows.map(({ label, outcome }) => [label, outcome])).toEqual([
      ['first', 'ok'],
      ['second', 'error'],
    ])
  })

  it('is cancelled by its asker, and lost when the connection closes', () => {
    const { rows } = talk(
      message('sent', call(1)),
      message('sent', call(2)),
      message('sent', notify('notifications/cancelled', { requestId: 1, reason: 'User pressed cancel' })),
      {
        kind: 'lifecycle',
        direction: 'received',
        bytes: new Uint8Array(),
        event: 'closed',
        note: 'killed by SIGKILL',
      },
    )
    expect(rows).toMatchObject([
      { outcome: 'cancelled' },
      { outcome: 'lost' },
      { kind: 'notification', parentId: rows[0]?.id, label: 'User pressed cancel' },
      { kind: 'lifecycle', method: 'closed', label: 'killed by SIGKILL' },
    ])
    expect(rows[1]?.endedAt).toBeDefined()
  })

  it('reads every message of a batch', () => {
    const { rows } = talk(
      message('sent', [call(1), notify('notifications/initialized'), 7]),
      message('received', [result(1)]),
    )
    expect(rows).toMatchObject([
      { kind: 'request', outcome: 'ok', frames: [1, 2] },
      { kind: 'notification', frames: [1] },
      { kind: 'invalid', errorMessage: 'expected a JSON object, got number' },
    ])
  })
})

describe('nesting', () => {
  it('folds the progress of a call into one row inside it', () => {
    const progress = (value: number): Frame =>
      message(
        'received',
        notify('notifications/progress', {
          progressToken: 'p',
          progress: value,
          total: 3,
          message: 'reading',
        }),
      )
    const { rows } = talk(
      message('sent', call(1, 'slow', { _meta: { progressToken: 'p' } })),
      progress(1),
      message('received', notify('notifications/tools/list_changed')),
      progress(2),
      progress(3),
    )
    expect(rows).toMatchObject([
      { method: 'tools/call', progress: { value: 3, total: 3 }, outcome: 'open' },
      {
        method: 'notifications/progress',
        parentId: rows[0]?.id,
        count: 3,
        label: '3 of 3 “reading”',
        frames: [2, 4, 5],
      },
      { method: 'notifications/tools/list_changed' },
    ])
    expect(rows[1]?.instants).toHaveLength(3)
    expect(rows[2]?.parentId).toBeUndefined()
  })

  it('puts a question of the server inside the only open call, which waits for it', () => {
    const { rows } = talk(
      message('sent', call(1)),
      message('received', {
        jsonrpc: '2.0',
        id: 1,
        method: 'elicitation/create',
        params: { message: 'Which unit?' },
      }),
      message('sent', result(1, { action: 'accept', content: {} })),
      message('received', result(1)),
    )
    expect(rows).toMatchObject([
      { method: 'tools/call', outcome: 'ok', frames: [1, 4] },
      {
        direction: 'received',
        label: '“Which unit?” accept',
        parentId: rows[0]?.id,
        outcome: 'ok',
        frames: [2, 3],
      },
    ])
    expect(rows[0]?.waits).toEqual([{ startedAt: rows[1]?.startedAt, endedAt: rows[1]?.endedAt }])
  })

  it('does not guess when two calls are open', () => {
    const ask = { jsonrpc: '2.0', id: 5, method: 'sampling/createMessage', params: { messages: [] } }
    const { rows } = talk(message('sent', call(1)), message('sent', call(2)), message('received', ask))
    expect(rows[2]?.parentId).toBeUndefined()
  })

  it('knows the call of a question over HTTP by its stream', () => {
    const ask = { jsonrpc: '2.0', id: 5, method: 'roots/list' }
    const { rows } = talk(
      message('sent', call(1), facts(1)),
      message('sent', call(2), facts(2)),
      message('received', ask, facts(2, { status: 200 })),
    )
    expect(rows[2]?.parentId).toBe(rows[1]?.id)
  })

  it('is one row over several rounds, the questions inside', () => {
    const questions = {
      unit: { method: 'elicitation/create', params: { message: 'Which unit?' } },
      why: {
        method: 'sampling/createMessage',
        params: { messages: [{ role: 'user', content: { type: 'text', text: 'why' } }] },
      },
    }
    const { rows, log, tap } = talk(
      message('sent', call(1)),
      message(
        'received',
        result(1, { resultType: 'input_required', inputRequests: questions, requestState: 'abc' }),
      ),
    )
    expect(rows).toMatchObject([
      { outcome: 'open', waits: [{ startedAt: rows[1]?.startedAt }] },
      { method: 'elicitation/create', direction: 'received', outcome: 'open', parentId: rows[0]?.id },
      { method: 'sampling/createMessage', label: '“why”', outcome: 'open' },
    ])
    tap.record(
      message(
        'sent',
        call(2, 'forecast', { requestState: 'abc', inputResponses: { unit: { action: 'decline' } } }),
      ),
    )
    tap.record(message('received', result(1)))
    tap.record(message('received', result(2)))
    const [exchange, unit, why, late] = log.rows()
    expect(exchange).toMatchObject({ outcome: 'ok', rounds: 2, frames: [1, 2, 3, 5] })
    expect(exchange?.waits?.[0]?.endedAt).toBe(unit?.endedAt)
    expect(unit).toMatchObject({ outcome: 'ok', label: '“Which unit?” decline', frames: [2, 3] })
    expect(why).toMatchObject({ outcome: 'cancelled' })
    expect(late).toMatchObject({ kind: 'invalid', errorMessage: 'a second answer to id 1' })
  })
})

describe('rows of their own', () => {
  it('shows stderr, noise and messages that are not JSON-RPC', () => {
    const { rows } = talk(
      {
        kind: 'stderr',
        direction: 'received',
        bytes: encoder.encode('\u001b[31mwarning\u001b[0m: slow\nmore\n'),
      },
      {
        kind: 'invalid',
        direction: 'received',
        bytes: encoder.encode('Listening on 3000'),
        reason: 'not JSON',
      },
      message('received', { hello: 'world' }),
      { kind: 'message', direction: 'received', bytes: encoder.encode('{"jsonrpc":') },
    )
    expect(rows).toMatchObject([
      { kind: 'stderr', label: 'warning: slow', count: 2, outcome: 'none' },
      { kind: 'invalid', label: 'Listening on 3000', errorMessage: 'not JSON', outcome: 'error' },
      { kind: 'invalid', errorMessage: 'member "jsonrpc" must be "2.0"' },
      { kind: 'invalid' },
    ])
    expect(rows[3]?.errorMessage).toMatch(/Parse error/)
  })

  it('counts the same notification said again', () => {
    const changed = message('received', notify('notifications/tools/list_changed'))
    const { rows } = talk(...Array.from({ length: 2_500 }, () => changed))
    expect(rows.map((row) => row.count)).toEqual([1_000, 1_000, 500])
    expect(rows[0]?.instants?.length).toBeLessThanOrEqual(64)
  })

  it('gives an HTTP head to its message, and shows one without a message', () => {
    const { rows } = talk(
      message('sent', notify('notifications/initialized'), facts(1)),
      { kind: 'http', direction: 'received', bytes: new Uint8Array(), http: facts(1, { status: 202 }) },
      { kind: 'http', direction: 'sent', bytes: new Uint8Array(), http: facts(2, { method: 'GET' }) },
      {
        kind: 'http',
        direction: 'received',
        bytes: new Uint8Array(),
        http: facts(2, { method: 'GET', status: 405 }),
      },
    )
    expect(rows).toMatchObject([
      { kind: 'notification', frames: [1, 2], outcome: 'none' },
      {
        kind: 'http',
        method: 'GET',
        label: 'http://127.0.0.1:4040/mcp',
        frames: [3, 4],
        errorCode: 405,
        outcome: 'none',
      },
    ])
  })

  it('ends a request whose HTTP exchange failed, was given up, or answered with something else', () => {
    const { rows } = talk(
      message('sent', call(1), facts(1)),
      {
        kind: 'invalid',
        direction: 'received',
        bytes: encoder.encode('<h1>upstream down</h1>'),
        reason: 'HTML',
        http: facts(1, { status: 503 }),
      },
      message('sent', call(2), facts(2)),
      { kind: 'http', direction: 'received', bytes: encoder.encode('connect ECONNREFUSED'), http: facts(2) },
      message('sent', call(3), facts(3)),
      { kind: 'http', direction: 'sent', bytes: new Uint8Array(), http: facts(3) },
      message('sent', call(4), facts(4)),
      {
        kind: 'invalid',
        direction: 'received',
        bytes: encoder.encode('<html>'),
        reason: 'HTML, not JSON',
        http: facts(4, { status: 200 }),
      },
    )
    expect(rows).toMatchObject([
      { outcome: 'error', errorCode: 503, errorMessage: 'HTTP 503: <h1>upstream down</h1>' },
      { outcome: 'lost', errorMessage: 'connect ECONNREFUSED' },
      { outcome: 'cancelled' },
      { outcome: 'error', errorMessage: 'HTML, not JSON' },
    ])
  })
})

describe("the server's side of a listener", () => {
  it('turns directions and tells clients of the same ids apart', () => {
    const log = new TrafficLog()
    const tap = log.tap({ serverId: 'app', serverName: 'This app', side: 'server' })
    tap.record(message('received', call(1, 'a'), facts(1)))
    tap.record(message('received', call(1, 'b'), facts(2)))
    tap.record(message('sent', result(1, { content: [], isError: true }), facts(2, { status: 200 })))
    tap.record(message('sent', result(1), facts(1, { status: 200 })))
    expect(log.rows()).toMatchObject([
      { label: 'a', direction: 'sent', side: 'server', outcome: 'ok' },
      { label: 'b', direction: 'sent', outcome: 'tool-error' },
    ])
    expect(log.frames([1]).frames[0]?.direction).toBe('sent')
  })

  it('gives a session its own answers', () => {
    const log = new TrafficLog()
    const tap = log.tap({ serverId: 'app', serverName: 'This app', side: 'server' })
    const session = (exchange: number, id: string): HttpFacts =>
      facts(exchange, { headers: { 'mcp-session-id': id } })
    const ask = { jsonrpc: '2.0', id: 's1', method: 'roots/list' }
    tap.record(message('received', call(1, 'a'), session(1, 'A')))
    tap.record(message('received', call(1, 'b'), session(2, 'B')))
    tap.record(message('sent', ask, facts(1, { status: 200 })))
    tap.record(message('sent', ask, facts(2, { status: 200 })))
    tap.record(message('received', result('s1', { roots: [] }), session(3, 'B')))
    const rows = log.rows()
    expect(rows[2]).toMatchObject({ parentId: rows[0]?.id, outcome: 'open' })
    expect(rows[3]).toMatchObject({ parentId: rows[1]?.id, outcome: 'ok' })
  })
})

describe('frames', () => {
  it('gives bytes as text, in part or whole', () => {
    const text = `"${'ä'.repeat(200_000)}"`
    const { log } = talk(
      { kind: 'message', direction: 'received', bytes: encoder.encode(text) },
      { kind: 'invalid', direction: 'received', bytes: Uint8Array.of(0x61, 0xff), reason: 'not UTF-8' },
    )
    const [part, lossy] = log.frames([1, 2, 3]).frames
    expect(log.frames([1, 2, 3]).dropped).toBe(1)
    expect(part).toMatchObject({ truncated: true, lossy: false, bytes: 400_002 })
    expect(text.startsWith(part?.text ?? '?')).toBe(true)
    expect(encoder.encode(part?.text).length).toBeGreaterThan(256 * 1024 - 4)
    expect(log.frames([1], { whole: true }).frames[0]).toMatchObject({ text, truncated: false })
    expect(lossy).toMatchObject({ text: 'a\ufffd', lossy: true, reason: 'not UTF-8' })
  })

  it('keeps no secret of the HTTP facts', () => {
    const log = new TrafficLog()
    const tap = log.tap(SOURCE)
    log.redact('s3cr3t value')
    const headers = {
      authorization: 'Bearer abc.def',
      cookie: 'session=1',
      'x-key': 'prefix s3cr3t value',
      'x-api-key': 'never registered',
      location: 'https://h/next?access_token=never-registered&page=2',
      accept: 'application/json',
    }
    const url = 'http://u:unregistered@h/mcp?q=s3cr3t%20value&Token=never'
    tap.record(message('sent', call(1), facts(1, { headers, url })))
    const http = log.frames([1]).frames[0]?.http
    expect(http?.headers).toEqual([
      { name: 'authorization', value: 'Bearer ⟨redacted⟩' },
      { name: 'cookie', value: '⟨redacted⟩' },
      { name: 'x-key', value: 'prefix ⟨redacted⟩' },
      { name: 'x-api-key', value: '⟨redacted⟩' },
      { name: 'location', value: 'https://h/next?access_token=⟨redacted⟩&page=2' },
      { name: 'accept', value: 'application/json' },
    ])
    expect(http?.url).toBe('http://u:⟨redacted⟩@h/mcp?q=⟨redacted⟩&Token=⟨redacted⟩')
  })

  it('shows no registered secret in the text of any frame or row, also where it is cut', () => {
    const log = new TrafficLog()
    const tap = log.tap(SOURCE)
    for (const secret of ['tok-"äö"-1234', 'true', '4040']) log.redact(secret)
    const echo = { content: [{ type: 'text', text: 'got tok-"äö"-1234, true, 4040' }], isError: true }
    tap.record(message('sent', call(1)))
    tap.record(message('received', result(1, echo)))
    tap.record({
      kind: 'stderr',
      direction: 'received',
      bytes: encoder.encode(`${'.'.repeat(192)} tok-"äö"-1234\n`),
    })
    const before = '.'.repeat(256 * 1024 - 5)
    tap.record({
      kind: 'invalid',
      direction: 'received',
      bytes: encoder.encode(`${before}tok-"äö"-1234 and more`),
      reason: 'not JSON: tok-"äö"-1234',
    })
    const { frames } = log.frames([1, 2, 3, 4])
    expect(frames.map(({ redacted }) => redacted)).toEqual([undefined, true, true, undefined])
    expect(JSON.parse(frames[1]?.text ?? '')).toMatchObject({
      result: { content: [{ text: 'got ⟨redacted⟩, true, 4040' }] },
    })
    expect(frames[1]?.bytes).toBeGreaterThan(50)
    expect(frames[3]).toMatchObject({ text: before, truncated: true, reason: 'not JSON: ⟨redacted⟩' })
    expect(log.frames([4], { whole: true }).frames[0]?.text).toBe(`${before}⟨redacted⟩ and more`)
    expect(JSON.stringify(log.rows())).not.toContain('tok-')
  })

  it('finds the row of the bytes that a transport delivered', () => {
    const answer = message('received', result(1))
    const { log, rows } = talk(message('sent', call(1)), answer)
    expect(log.exchangeIdOf(answer.bytes)).toBe(rows[0]?.id)
    expect(log.exchangeIdOf(encoder.encode('other'))).toBeUndefined()
  })
})

describe('changes', () => {
  const next = (log: TrafficLog): Promise<TrafficChange> =>
    new Promise((resolve) => {
      const stop = log.subscribe((change) => {
        stop()
        resolve(change)
      })
    })

  it('come merged and later than the recording', async () => {
    const log = new TrafficLog()
    const tap = log.tap(SOURCE)
    tap.record(message('sent', call(1)))
    const changes: TrafficChange[] = []
    const stop = log.subscribe((change) => changes.push(change))
    tap.record(message('sent', call(2)))
    tap.record(message('received', result(2)))
    tap.record(message('received', result(1)))
    expect(changes).toEqual([])
    const latest = (): unknown =>
      changes
        .at(-1)
        ?.rows.map((row) => row.read())
        .map(({ label, outcome }) => [label, outcome])
    await expect.poll(latest).toEqual([
      ['forecast', 'ok'],
      ['forecast', 'ok'],
    ])
    stop()
    // A slow machine may report them in more than one change, but not one by one.
    expect(changes.length).toBeLessThan(4)
    expect(changes.at(-1)).toMatchObject({ cleared: false, removed: [], counts: { frames: 4, dropped: 0 } })
  })

  it('say what was cleared; what is open stays and ends later', async () => {
    const { log, tap } = talk(
      message('sent', call(1)),
      message('received', result(1)),
      message('sent', call(2, 'open')),
    )
    const changed = next(log)
    log.clear()
    const change = await changed
    expect(change).toMatchObject({ cleared: true, counts: { frames: 1 } })
    expect(change.rows.map((row) => row.read().label)).toEqual(['open'])
    tap.record(message('received', result(2)))
    expect(log.rows()).toMatchObject([{ label: 'open', outcome: 'ok', frames: [3, 4] }])
  })
})

describe('bounds', () => {
  it('lets the oldest go, counts them and names the rows', async () => {
    const log = new TrafficLog({ bounds: { frameBytes: 100_000, rows: 100_000 } })
    const known = new Set<string>()
    const all = new Promise<void>((resolve) => {
      log.subscribe((change) => {
        for (const row of change.rows) known.add(row.read().id)
        for (const id of change.removed) expect(known.delete(id)).toBe(true)
        if (change.rows.some((row) => row.read().label === 'last')) resolve()
      })
    })
    const tap = log.tap(SOURCE)
    tap.record(message('sent', call('open', 'lasting')))
    for (let id = 0; id < 500; id += 1) {
      tap.record(message('sent', call(id)))
      tap.record(message('received', result(id)))
    }
    tap.record(message('sent', notify('notifications/message', { data: 'last' })))
    await all
    const rows = log.rows()
    const { bytes, dropped } = log.counts()
    expect(bytes).toBeLessThan(100_000)
    expect(dropped).toBeGreaterThan(500)
    expect(new Set(rows.map((row) => row.id))).toEqual(known)
    expect(rows[0]).toMatchObject({ label: 'lasting', outcome: 'open' })
    expect(log.frames([2]).dropped).toBe(1)
    tap.record(message('received', result('open')))
    expect(log.rows()[0]).toMatchObject({ label: 'lasting', outcome: 'ok' })
  })

  it('bounds rows and forgets the frames that only they showed', () => {
    const log = new TrafficLog({ bounds: { frameBytes: 1e9, rows: 20 } })
    const tap = log.tap(SOURCE)
    for (let id = 0; id < 5_000; id += 1)
      tap.record(message('sent', notify('notifications/message', { data: `line ${id}` })))
    const rows = log.rows()
    expect(rows.length).toBeGreaterThanOrEqual(19)
    expect(rows.length).toBeLessThanOrEqual(20)
    expect(rows.map((row) => row.label)).toEqual(
      rows.map((_, index) => `line ${5_000 - rows.length + index}`),
    )
    expect(log.counts()).toMatchObject({ frames: rows.length, dropped: 5_000 - rows.length })
  })
})
