import { appendFile, readFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Redaction } from '../redaction.ts'
import { Desk, entriesOf, message, SOURCE } from './recorder.test-support.ts'
import { appendNotes } from './recording-notes.ts'

const desk = new Desk()

beforeEach(() => desk.open())
afterEach(() => desk.close())

test('marks and comments are between the frames they were made at', async () => {
  const recorder = await desk.recorder('run.ndjson')
  const tap = recorder.tap(SOURCE)
  recorder.mark({ name: 'Lists the tools', phase: 'begin', check: 'tools-list' })
  tap.record(message({ id: 1 }))
  recorder.mark({
    name: 'Lists the tools',
    phase: 'end',
    check: 'tools-list',
    verdict: 'passed',
    text: '3 tools',
  })
  recorder.comment('looks slow', Date.now())
  await recorder.close()
  const entries = await entriesOf(recorder.path)
  expect(entries).toEqual([
    {
      type: 'mark',
      at: expect.any(Number) as number,
      name: 'Lists the tools',
      phase: 'begin',
      check: 'tools-list',
    },
    expect.objectContaining({ type: 'frame' }),
    {
      type: 'mark',
      at: expect.any(Number) as number,
      name: 'Lists the tools',
      phase: 'end',
      check: 'tools-list',
      verdict: 'passed',
      text: '3 tools',
    },
    { type: 'comment', at: expect.any(Number) as number, text: 'looks slow' },
    { type: 'end', closed: true, tornBytes: 0 },
  ])
})

test('notes are appended to a recording that is closed, again and again, without secrets', async () => {
  const recorder = await desk.recorder('run.ndjson')
  recorder.tap(SOURCE).record(message({ id: 1, text: ',"end":' }))
  await recorder.close()
  const redaction = new Redaction()
  redaction.register('hush-hush')
  const at = Date.now()
  await appendNotes(recorder.path, [{ type: 'comment', at, text: 'x'.repeat(99_000) }])
  await appendNotes(recorder.path, [{ type: 'mark', at, name: 'hush-hush\n"' }], redaction)
  const entries = await entriesOf(recorder.path)
  expect(entries.slice(1)).toEqual([
    { type: 'comment', at, text: 'x'.repeat(99_000) },
    { type: 'mark', at, name: '⟨redacted⟩\n"' },
    { type: 'end', closed: true, tornBytes: 0 },
  ])
})

test('nothing is appended to a file that is open, torn, missing or something else', async () => {
  const recorder = await desk.recorder('run.ndjson')
  recorder.tap(SOURCE).record(message({ id: 1 }))
  await recorder.flushed()
  const before = await readFile(recorder.path)
  const notes = [{ type: 'comment', at: 0, text: '' }] as const
  await expect(appendNotes(recorder.path, notes)).rejects.toMatchObject({ code: 'open' })
  expect((await readFile(recorder.path)).equals(before)).toBe(true)
  await recorder.close()
  await appendFile(recorder.path, '{"at":1')
  await expect(appendNotes(recorder.path, notes)).rejects.toMatchObject({ code: 'open' })
  await expect(appendNotes(desk.at('none'), notes)).rejects.toMatchObject({ code: 'unwritable' })
  await appendFile(desk.at('other'), 'text\n')
  await expect(appendNotes(desk.at('other'), notes)).rejects.toMatchObject({ code: 'no-recording' })
})
