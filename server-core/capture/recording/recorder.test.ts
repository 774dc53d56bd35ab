import { readFile, stat } from 'node:fs/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Frame } from '../../ports/tap.ts'
import { Redaction } from '../redaction.ts'
import { cut, Desk, entriesOf, framesOf, Gate, idsOf, message, SOURCE } from './recorder.test-support.ts'
import { readChunks } from './recording-reader.ts'

const desk = new Desk()

beforeEach(() => desk.open())
afterEach(async () => {
  desk.told.length = 0
  await desk.close()
})

describe('what is written', () => {
  const direction = fc.constantFrom('sent', 'received')
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: 'binary', maxLength: 200 }).map((text) => Buffer.from(text)),
    fc.json().map((text) => Buffer.from(text)),
    fc.jsonValue().map((value) => Buffer.from(JSON.stringify({ jsonrpc: '2.0', result: value }))),
    // What would end the line, or look like the member that contains a message.
    fc
      .constantFrom('{\n}', '{"a":1}\r', '\ufeff{}', '{,"message":}', '[1]', '{"a":"\u2028"}')
      .map((text) => Buffer.from(text)),
    fc.nat(400_000).map((length) => Buffer.from(JSON.stringify({ long: 'ä'.repeat(length) }))),
  )
  const http = fc.record(
    {
      exchange: fc.nat(),
      method: fc.constantFrom('POST', 'GET'),
      url: fc.constantFrom('/mcp', '/sse?session="ä"', ''),
      headers: fc.dictionary(
        fc.constantFrom('host', 'mcp-session-id', '__proto__', 'constructor', '1', 'x,"message":'),
        fc.string({ unit: 'binary' }),
      ),
      status: fc.constantFrom(200, 202, 404),
      event: fc.record({ id: fc.string(), retry: fc.nat(), name: fc.string() }, { requiredKeys: [] }),
    },
    { requiredKeys: ['exchange', 'method', 'url', 'headers'] },
  )
  const reason = fc.string({ unit: 'binary' })
  const frame = fc.oneof(
    fc.record({ kind: fc.constant('message'), direction, bytes }),
    fc.record({ kind: fc.constant('message'), direction, bytes, http }),
    fc.record({ kind: fc.constant('invalid'), direction, bytes, reason, http }),
    fc.record({ kind: fc.constant('http'), direction, bytes, http }),
    fc.record({ kind: fc.constant('stderr'), direction: fc.constant('received'), bytes }),
    fc.record({ kind: fc.constant('fault'), direction: fc.constant('sent'), bytes }),
    fc.record({
      kind: fc.constant('lifecycle'),
      direction,
      bytes,
      event: fc.constantFrom('opened', 'closed'),
      note: reason,
    }),
  )
  const seen = fc.array(fc.tuple(frame, fc.constantFrom(0, 1, 2), fc.boolean()), { maxLength: 30 })

  test('is read again byte for byte, whatever parts it is written and read in', async () => {
    let number = 0
    await fc.assert(
      fc.asyncProperty(seen, fc.integer({ min: 1, max: 5_000 }), async (frames, part) => {
        number += 1
        const gates: Gate[] = []
        const recorder = await desk.recorder(`${number}.ndjson`, {}, (sink) => {
          const gate = new Gate(sink)
          gate.most = part * 100
          gates.push(gate)
          return gate
        })
        const first = recorder.tap(SOURCE)
        const taps = [first, first.fork?.('websocket') ?? first, recorder.tap({ ...SOURCE, side: 'client' })]
        for (const [each, on, isFlushed] of frames) {
          taps[on]?.record(each)
          if (isFlushed) await recorder.flushed()
        }
        expect(await recorder.close()).toEqual({ frames: frames.length, shed: 0 })
        const bytes = await readFile(recorder.path)
        const chunks = bytes.length < 100_000 ? cut(bytes, part) : cut(bytes, part * 1_000)
        const entries = await Array.fromAsync(readChunks(chunks, 'it'))
        expect(entries.at(-1)).toEqual({ type: 'end', closed: true, tornBytes: 0 })
        const back = entries.filter((entry) => entry.type === 'frame')
        expect(back.length).toBe(frames.length)
        let before = 0
        for (const [index, [given, on]] of frames.entries()) {
          const got = back[index]
          expect(got?.bytes.equals(given.bytes)).toBe(true)
          const isClient = on === 2
          expect({ ...got, bytes: 0, at: 0, connection: 0 }).toEqual({
            type: 'frame',
            kind: given.kind,
            direction: isClient ? given.direction : given.direction === 'sent' ? 'received' : 'sent',
            ...('http' in given && { http: given.http }),
            ...(given.kind === 'invalid' && { reason: given.reason }),
            ...(given.kind === 'lifecycle' && { event: given.event, reason: given.note }),
            bytes: 0,
            at: 0,
            connection: 0,
          })
          expect(got?.connection).toMatchObject({
            side: isClient ? 'client' : 'server',
            transport: on === 1 ? 'websocket' : 'http',
          })
          expect(got?.at).toBeGreaterThanOrEqual(before)
          before = got?.at ?? 0
        }
        expect(desk.told).toEqual([])
      }),
      { numRuns: 40 },
    )
  })

  test('is a line of JSON for each thing, which other programs read too', async () => {
    const recorder = await desk.recorder('calls.ndjson')
    recorder.tap(SOURCE).record(message({ jsonrpc: '2.0', id: 1, method: 'ping' }))
    await recorder.close()
    const lines = (await readFile(recorder.path, 'utf8')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { format: 'patchbay-recording', version: 2, startedAt: expect.any(String) as string },
      { connection: 1, transport: 'http', side: 'server', server: 'notes' },
      {
        at: expect.any(Number) as number,
        on: 1,
        from: 'client',
        kind: 'message',
        message: { jsonrpc: '2.0', id: 1, method: 'ping' },
      },
      { at: expect.any(Number) as number, end: { frames: 1, shed: 0 } },
    ])
  })

  test('is for the owner of the file alone, and no recording is written over', async () => {
    for (const name of ['calls.ndjson', 'calls-2.ndjson', 'calls-3.ndjson']) {
      const recorder = await desk.recorder('calls.ndjson')
      expect(recorder.path).toBe(desk.at(name))
      await recorder.close()
      if (process.platform !== 'win32') expect((await stat(desk.at(name))).mode & 0o777).toBe(0o600)
    }
    await expect(desk.recorder('nowhere/calls.ndjson')).rejects.toMatchObject({ code: 'unwritable' })
  })

  test('has no secret in it, wherever it stood', async () => {
    const secret = 'sé"cret/1'
    const redaction = new Redaction()
    redaction.register(secret)
    const recorder = await desk.recorder('calls.ndjson', { redaction })
    const tap = recorder.tap({ ...SOURCE, serverName: `server of ${secret}` })
    const headers = { authorization: 'Bearer abc123', cookie: 'a=b', 'x-key': secret }
    const head = { exchange: 1, method: 'POST', url: `/mcp?key=${encodeURIComponent(secret)}`, headers }
    tap.record({ ...message({ id: 1, method: 'x', params: { secret } }), http: head } as Frame)
    tap.record({
      ...message({ id: 2 }),
      http: { ...head, url: `/${secret}`, event: { id: secret } },
    } as Frame)
    tap.record({ ...message({ id: 3 }), http: { ...head, headers: { ...headers, cookie: 'c=d' } } } as Frame)
    tap.record({
      kind: 'invalid',
      direction: 'sent',
      bytes: Buffer.concat([Buffer.from([0xff]), Buffer.from(secret)]),
      reason: `no JSON: ${secret}`,
    })
    await recorder.close()
    const file = await readFile(recorder.path)
    for (const spelling of [secret, encodeURIComponent(secret), 'cret/1', 'abc123', 'a=b', 'c=d'])
      expect(file.includes(spelling)).toBe(false)
    const frames = await framesOf(recorder.path)
    expect(frames.map(({ bytes, masked }) => [bytes.toString(), masked])).toEqual([
      ['{"id":1,"method":"x","params":{"secret":"⟨redacted⟩"}}', true],
      ['{"id":2}', undefined],
      ['{"id":3}', undefined],
      ['\ufffd⟨redacted⟩', true],
    ])
    expect(frames[0]?.http?.headers).toEqual({
      authorization: 'Bearer ⟨redacted⟩',
      cookie: '⟨redacted⟩',
      'x-key': '⟨redacted⟩',
    })
    expect(frames[1]?.http).toMatchObject({ url: '/⟨redacted⟩', event: { id: '⟨redacted⟩' } })
  })

  test('is there before the call returns where the process is about to end', async () => {
    const gates: Gate[] = []
    const recorder = await desk.recorder('calls.ndjson', {}, (sink) => {
      const gate = new Gate(sink)
      gates.push(gate)
      return gate
    })
    const tap = recorder.tap(SOURCE)
    gates[0]?.hold()
    tap.record(message({ id: 1 }))
    const flushed = recorder.flushed()
    tap.record(message({ id: 2 }))
    recorder.flushNow()
    const texts = async () => (await framesOf(recorder.path)).map(({ bytes }) => bytes.toString())
    expect(await texts()).toEqual(['{"id":1}', '{"id":2}'])
    // The write that was under way comes to its end too, and does no harm.
    tap.record(message({ id: 3 }))
    gates[0]?.release()
    await flushed
    await recorder.close()
    expect(await texts()).toEqual(['{"id":1}', '{"id":2}', '{"id":3}'])
  })

  test('loses nothing by an attempt to write at once that fails while a write is under way', async () => {
    const gates: Gate[] = []
    const recorder = await desk.recorder('calls.ndjson', {}, (sink) => {
      const gate = new Gate(sink)
      gate.hold()
      gates.push(gate)
      return gate
    })
    recorder.tap(SOURCE).record(message({ id: 1 }))
    const flushed = recorder.flushed()
    const [gate] = gates
    if (gate !== undefined) gate.error = new Error('no space')
    expect(() => recorder.flushNow()).toThrow('no space')
    if (gate !== undefined) gate.error = undefined
    gate?.release()
    await flushed
    await recorder.close()
    expect(idsOf(await framesOf(recorder.path))).toEqual([1])
  })

  test('keeps the facts of events whole, whatever a secret looks like', async () => {
    const redaction = new Redaction()
    for (const secret of ['12345678', 'tabs', 'retry']) redaction.register(secret)
    const recorder = await desk.recorder('calls.ndjson', { redaction })
    const event = { id: '\tabs', retry: 12_345_678 }
    const http = { exchange: 1, method: 'GET', url: '/mcp', headers: {}, event }
    recorder.tap(SOURCE).record({ kind: 'http', direction: 'sent', bytes: new Uint8Array(), http })
    await recorder.close()
    const [frame] = await framesOf(recorder.path)
    expect(frame?.http?.event).toEqual(event)
  })
})

describe('a disk that is too slow or full', () => {
  test('leaves a mark with the number of frames that are missing', async () => {
    const gates: Gate[] = []
    const recorder = await desk.recorder('calls.ndjson', { bufferBytes: 4_000 }, (sink) => {
      const gate = new Gate(sink)
      gates.push(gate)
      return gate
    })
    const tap = recorder.tap(SOURCE)
    gates[0]?.hold()
    for (let id = 0; id < 1_000; id += 1) tap.record(message({ id }))
    gates[0]?.release()
    await recorder.flushed()
    tap.record(message({ id: 1_000 }))
    const { frames, shed } = await recorder.close()
    expect(frames + shed).toBe(1_001)
    const entries = await entriesOf(recorder.path)
    expect(entries.map(({ type }) => type)).toEqual([
      ...Array<string>(frames - 1).fill('frame'),
      'gap',
      'frame',
      'end',
    ])
    const gap = entries[frames - 1]
    expect(gap).toMatchObject({ frames: shed })
    expect(idsOf(entries)).toEqual([...Array.from({ length: frames - 1 }, (_, id) => id), 1_000])
    expect(desk.told).toEqual([expect.stringContaining('some are left out')])
  })

  test('is reported once, and frames that could not be written are written later, up to the bound', async () => {
    const gates: Gate[] = []
    const recorder = await desk.recorder('calls.ndjson', { bufferBytes: 4_000 }, (sink) => {
      const gate = new Gate(sink)
      gate.most = 7
      gates.push(gate)
      return gate
    })
    const [gate] = gates
    const tap = recorder.tap(SOURCE)
    if (gate !== undefined) gate.error = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' })
    for (let id = 0; id < 500; id += 1) {
      tap.record(message({ id }))
      if (id % 100 === 0) await expect(recorder.flushed()).rejects.toThrow('ENOSPC')
    }
    if (gate !== undefined) gate.error = undefined
    await recorder.flushed()
    const { frames, shed } = await recorder.close()
    expect(shed).toBeGreaterThan(0)
    const entries = await entriesOf(recorder.path)
    expect(idsOf(entries)).toEqual(Array.from({ length: frames }, (_, id) => id))
    expect(entries.slice(-2)).toEqual([
      expect.objectContaining({ type: 'gap', frames: shed }),
      { type: 'end', closed: true, tornBytes: 0 },
    ])
    expect(desk.told.filter((text) => text.includes('ENOSPC'))).toHaveLength(1)
  })

  test('that stays full to the end is not an error of the server', async () => {
    const gates: Gate[] = []
    const recorder = await desk.recorder('calls.ndjson', {}, (sink) => {
      const gate = new Gate(sink)
      gates.push(gate)
      return gate
    })
    const tap = recorder.tap(SOURCE)
    tap.record(message({ id: 0 }))
    await recorder.flushed()
    for (const gate of gates) gate.error = new Error('ENOSPC: no space left')
    tap.record(message({ id: 1 }))
    await recorder.close()
    const entries = await entriesOf(recorder.path)
    expect(idsOf(entries)).toEqual([0])
    expect(entries.at(-1)).toMatchObject({ closed: false })
    expect(desk.told.join('\n')).toMatch(/ENOSPC[^]*could not be written and are lost/)
  })
})
