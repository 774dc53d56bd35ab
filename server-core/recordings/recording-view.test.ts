import { appendFile, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Recorder } from '../capture/recording/recorder.ts'
import { Desk, SOURCE } from '../capture/recording/recorder.test-support.ts'
import type { Tap } from '../ports/tap.ts'
import { indexSegment } from './recording-parts.ts'
import { RecordingView } from './recording-view.ts'
import { rowsOfFrames } from './rows-of-frames.ts'

const desk = new Desk()

beforeEach(() => desk.open())
afterEach(() => desk.close())

/** Calls of two tools, of which each tenth fails, with a notification beside each. */
function recordCalls(tap: Tap, from: number, until: number, padding = ''): void {
  for (let id = from; id < until; id += 1) {
    const name = id % 2 === 0 ? 'even' : 'odd'
    const send = (direction: 'sent' | 'received', value: object) =>
      tap.record({ kind: 'message', direction, bytes: Buffer.from(JSON.stringify(value)) })
    // As the official SDK orders members.
    const call = { method: 'tools/call', params: { name, arguments: { id, padding } }, jsonrpc: '2.0', id }
    send('received', call)
    send('sent', {
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info', data: `n${id}` },
    })
    const isError = id % 10 === 9
    const content = [{ type: 'text', text: `Result "${id}"` }]
    send('sent', { jsonrpc: '2.0', id, result: { content, ...(isError && { isError }) } })
  }
}

async function segments(count: number): Promise<{ folder: string; sealed: string[] }> {
  const folder = desk.at('recording')
  const sealed: string[] = []
  const recorder = Recorder.segmented(folder, {
    onTrouble: (text) => desk.told.push(text),
    segmentBytes: 64 * 1024,
    onSealed: (file) => sealed.push(file),
  })
  recordCalls(recorder.tap(SOURCE), 0, count)
  recorder.mark({ name: 'half', verdict: 'passed' })
  await recorder.flushed()
  recordCalls(recorder.tap({ ...SOURCE, transport: 'sse' }), count, count * 2)
  await recorder.close()
  return { folder, sealed }
}

const numbers = (found: readonly { readonly number: number }[]) => found.map(({ number }) => number)

describe('a recording in segments', () => {
  test('has segments of at most the length, each a recording by itself', async () => {
    const { folder, sealed } = await segments(500)
    const names = (await readdir(folder)).sort()
    expect(names.length).toBeGreaterThan(5)
    expect(sealed.map((file) => path.basename(file))).toEqual(names)
    for (const name of names) {
      expect((await stat(path.join(folder, name))).size).toBeLessThanOrEqual(64 * 1024)
      const view = await RecordingView.open(path.join(folder, name))
      expect(view.problems).toEqual([])
      expect(view.isClosed).toBe(true)
      const frames = await view.read([0, view.frames - 1])
      expect(frames).toHaveLength(2)
    }
    if (process.platform !== 'win32') expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  test('makes no folder without a frame', async () => {
    const folder = desk.at('empty')
    const recorder = Recorder.segmented(folder, { onTrouble: (text) => desk.told.push(text) })
    await recorder.close()
    await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test.each(['stored', 'missing', 'damaged', 'foreign'])(
    'is read with indexes that are %s',
    async (indexes) => {
      const { folder, sealed } = await segments(500)
      if (indexes !== 'missing') for (const file of sealed) await indexSegment(file)
      for (const file of sealed) {
        const index = file.replace('.ndjson', '.index')
        if (indexes === 'damaged') await truncate(index, 3_000)
        if (indexes === 'foreign') await writeFile(index, '{"format":"other"}\n')
      }
      const view = await RecordingView.open(folder)
      expect(view.problems).toEqual([])
      expect([view.frames, view.errors, view.isClosed]).toEqual([3_000, 100, true])
      expect(view.methods()).toEqual([
        { method: 'tools/call', count: 1_000, errors: expect.any(Number) as number },
        { method: 'notifications/message', count: 1_000, errors: 0 },
      ])
      expect(await view.notes()).toEqual([
        { type: 'mark', at: expect.any(Number) as number, name: 'half', verdict: 'passed' },
      ])
      const found = await view.find({ methods: ['tools/call'], target: 'odd', errors: true }, 3)
      const rows = rowsOfFrames(await view.read(numbers(found), { pairs: true }))
      expect(rows.map(({ label, outcome, frames }) => [label, outcome, frames.length])).toEqual(
        Array.from({ length: 3 }, () => ['odd', 'tool-error', 2]),
      )
      const [text] = numbers(await view.find({ text: 'result \\"123\\"' }, 10))
      const [row] = rowsOfFrames(await view.read([text ?? -1], { pairs: true }))
      expect(row).toMatchObject({ method: 'tools/call', label: 'odd', outcome: 'ok', serverName: 'notes' })
      expect(await view.find({ text: 'nowhere' }, 10)).toEqual([])
      // The index is there for the next one, but for what may still grow.
      const names = await readdir(folder)
      expect(names.filter((name) => name.endsWith('.index'))).toHaveLength(sealed.length)
    },
  )

  test('is found page by page, the newest first', async () => {
    const { folder } = await segments(300)
    const view = await RecordingView.open(folder)
    const all = numbers(await view.find({ methods: ['tools/call'] }, Infinity))
    expect(all).toHaveLength(600)
    const paged: number[] = []
    for (let before = Infinity; ; before = paged.at(-1) ?? 0) {
      const page = numbers(await view.find({ methods: ['tools/call'] }, 37, before))
      if (page.length === 0) break
      paged.push(...page)
    }
    expect(paged).toEqual(all)
    const middle = all[300] ?? 0
    const [frame] = await view.read([middle])
    expect(await view.frameAt(frame?.at ?? 0)).toBeLessThanOrEqual(middle)
  })

  test('goes on without segments that were removed, and says so', async () => {
    const { folder, sealed } = await segments(500)
    await rm(sealed[0] ?? '')
    await rm(sealed[3] ?? '')
    const view = await RecordingView.open(folder)
    expect(view.problems).toEqual([
      '1 older segments were deleted to keep within the limit of all recordings',
      expect.stringContaining('are missing'),
    ])
    expect(view.frames).toBeLessThan(3_000)
    expect(await view.find({}, 5)).toHaveLength(5)
  })
})

describe('a file', () => {
  test('is read in parts, whatever connections and heads came before them', async () => {
    const recorder = await desk.recorder('long.ndjson')
    const http = { exchange: 1, method: 'POST', url: '/mcp', headers: { host: 'here' } }
    const tap = recorder.tap(SOURCE)
    tap.record({
      kind: 'message',
      direction: 'received',
      bytes: Buffer.from('{"id":1,"method":"ping"}'),
      http,
    })
    recordCalls(tap, 2, 20, 'x'.repeat(1_000_000))
    tap.record({ kind: 'message', direction: 'sent', bytes: Buffer.from('{"id":1,"result":{}}'), http })
    await recorder.close()
    const view = await RecordingView.open(recorder.path)
    expect([view.frames, view.isClosed, view.problems]).toEqual([56, true, []])
    const [last] = await view.read([55])
    expect(last).toMatchObject({ connection: { serverName: 'notes' }, http: { headers: { host: 'here' } } })
  })

  test('that is torn, damaged or hostile is shown but for what cannot be read', async () => {
    const recorder = await desk.recorder('calls.ndjson')
    recordCalls(recorder.tap(SOURCE), 0, 10)
    await recorder.close()
    const lines = (await readFile(recorder.path, 'utf8')).split('\n')
    lines.splice(
      5,
      0,
      'nonsense',
      '{"at":1,"on":1,"from":"client","kind":"message","message":{"id":1,"method":"x',
    )
    await writeFile(recorder.path, lines.slice(0, -3).join('\n'))
    await appendFile(recorder.path, '\n{"at":5,"on":1,"fro')
    const view = await RecordingView.open(recorder.path)
    expect(view.isClosed).toBe(false)
    expect(view.problems).toEqual([expect.stringMatching(/lines? cannot be read/)])
    expect(
      rowsOfFrames(await view.read(numbers(await view.find({}, 100)), { pairs: true })).length,
    ).toBeGreaterThan(15)
  })

  test('of something else is rejected', async () => {
    await writeFile(desk.at('other'), 'text\n')
    await expect(RecordingView.open(desk.at('other'))).rejects.toMatchObject({ code: 'no-recording' })
    await expect(RecordingView.open(desk.at('none'))).rejects.toMatchObject({ code: 'unreadable' })
    await expect(RecordingView.open(desk.at('.'))).rejects.toMatchObject({ code: 'no-recording' })
  })
})
