import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cut, Desk, entriesOf, framesOf, idsOf, message, SOURCE } from './recorder.test-support.ts'
import { RecordingError } from './recording-error.ts'
import { LINE_BYTES, readChunks, readRecording } from './recording-reader.ts'

const desk = new Desk()

beforeEach(() => desk.open())
afterEach(() => desk.close())

describe('what is read', () => {
  test('ends before the line that a killed process was writing', async () => {
    const file = desk.at('killed.ndjson')
    const writer = fork(path.join(import.meta.dirname, 'recording-writer.test-support.ts'), [file], {
      execArgv: [],
    })
    const exited = once(writer, 'exit')
    let told = 0
    await new Promise<void>((resolve) => {
      writer.on('message', (number) => {
        told = Number(number)
        if (told > 5_000) resolve()
      })
    })
    writer.kill('SIGKILL')
    await exited
    const entries = await entriesOf(file)
    const ids = idsOf(entries)
    expect(ids.length).toBeGreaterThanOrEqual(told)
    expect(ids).toEqual(Array.from({ length: ids.length }, (_, id) => id))
    expect(entries.at(-1)).toMatchObject({ type: 'end', closed: false })
  })

  test('is all whole lines, wherever the file is torn', async () => {
    const recorder = await desk.recorder('calls.ndjson')
    const tap = recorder.tap(SOURCE)
    for (let id = 0; id < 5; id += 1) tap.record(message({ id, text: 'ä\u2028' }))
    await recorder.close()
    const bytes = await readFile(recorder.path)
    for (let length = bytes.indexOf('\n') + 1; length < bytes.length; length += 1) {
      const torn = bytes.subarray(0, length)
      const entries = await Array.fromAsync(readChunks(cut(torn, 64), 'it'))
      const lastLine = torn.lastIndexOf('\n') + 1
      expect(entries.at(-1)).toEqual({ type: 'end', closed: false, tornBytes: length - lastLine })
      const whole = torn.subarray(0, lastLine).toString().split('\n').length - 1
      expect(idsOf(entries)).toEqual(Array.from({ length: Math.max(0, whole - 2) }, (_, id) => id))
    }
  })

  test.each([
    ['', 'no-recording', 'its first line should begin with {"format":"patchbay-recording"'],
    ['{"some":"json"}\n', 'no-recording', 'is not a recording of Patchbay'],
    ['\u0000\u0001\n', 'no-recording', 'is not a recording of Patchbay'],
    [
      '{"format":"patchbay-recording","version":3}\n',
      'newer',
      'version 3; this Patchbay reads up to version 2',
    ],
    ['{"format":"patchbay-recording","version":1}\n', 'no-recording', 'does not say when'],
    [
      '{"format":"patchbay-recording","version":1,"startedAt":"2026-01-01T00:00:00.000Z"}\n{"at":1,"on":1,"from":"client","kind":"message","text":""}\n',
      'damaged',
      'line 2: connection 1 is not defined before this line',
    ],
    [
      '{"format":"patchbay-recording","version":1,"startedAt":"2026-01-01T00:00:00.000Z"}\nnonsense\n',
      'damaged',
      'line 2: it is not a JSON object',
    ],
  ])('is refused if it is something else: %j', async (text, code, words) => {
    const file = desk.at('other.ndjson')
    await writeFile(file, text)
    const refused = await entriesOf(file).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(RecordingError)
    expect(refused).toMatchObject({ code, message: expect.stringContaining(words) as string })
  })

  test('has the kinds of version 2 where it is of version 1', async () => {
    const header = '{"format":"patchbay-recording","version":1,"startedAt":"2026-01-01T00:00:00.000Z"}'
    const connection = '{"connection":1,"transport":"stdio","side":"server","server":"notes"}'
    const life = '{"at":1,"on":1,"from":"client","kind":"life","event":"opened","reason":"started"}'
    const noise = '{"at":2,"on":1,"from":"client","kind":"noise","reason":"not JSON","text":"x"}'
    const file = desk.at('old.ndjson')
    await writeFile(file, [header, connection, life, noise, ''].join('\n'))
    const frames = await framesOf(file)
    expect(frames.map(({ kind, reason }) => [kind, reason])).toEqual([
      ['lifecycle', 'started'],
      ['invalid', 'not JSON'],
    ])
    // Version 2 has other names for them.
    await writeFile(file, [header.replace('"version":1', '"version":2'), connection, life, ''].join('\n'))
    await expect(framesOf(file)).rejects.toMatchObject({ code: 'damaged' })
  })

  test('goes on behind damage where that is to be reported', async () => {
    const recorder = await desk.recorder('calls.ndjson')
    const tap = recorder.tap(SOURCE)
    for (let id = 0; id < 3; id += 1) tap.record(message({ id }))
    await recorder.close()
    const lines = (await readFile(recorder.path)).toString().split('\n')
    lines.splice(3, 0, '\u0000<script>', '{"at":1,"on":7,"from":"client","kind":"message","message":{}}')
    await writeFile(recorder.path, lines.join('\n'))
    const entries = await Array.fromAsync(readRecording(recorder.path, { damage: 'report' }))
    expect(idsOf(entries)).toEqual([0, 1, 2])
    expect(entries.filter(({ type }) => type === 'damage')).toEqual([
      { type: 'damage', line: 4, bytes: 9, reason: 'it is not a JSON object' },
      expect.objectContaining({ line: 5, reason: 'connection 7 is not defined before this line' }),
    ])
  })

  test('skips a line that is longer than any that is written', async () => {
    const recorder = await desk.recorder('calls.ndjson')
    recorder.tap(SOURCE).record(message({ id: 1 }))
    await recorder.close()
    const bytes = await readFile(recorder.path)
    const long = Buffer.alloc(1024 * 1024, 'x')
    async function* chunks(): AsyncGenerator<Buffer> {
      const end = bytes.lastIndexOf('\n', bytes.length - 2) + 1
      yield bytes.subarray(0, end)
      for (let length = 0; length <= LINE_BYTES; length += long.length) yield await Promise.resolve(long)
      yield Buffer.from('\n')
      yield bytes.subarray(end)
    }
    const entries = await Array.fromAsync(readChunks(chunks(), 'it', { damage: 'report' }))
    expect(entries.map(({ type }) => type)).toEqual(['frame', 'damage', 'end'])
    await expect(Array.fromAsync(readChunks(chunks(), 'it'))).rejects.toMatchObject({ code: 'damaged' })
  })

  test('reports a missing file', async () => {
    await expect(entriesOf(desk.at('nowhere.ndjson'))).rejects.toMatchObject({ code: 'unreadable' })
  })
})
