import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cut, Desk, entriesOf, idsOf, message, SOURCE } from './recorder.test-support.ts'
import { RecordingError } from './recording-error.ts'
import { readChunks } from './recording-reader.ts'

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
    ['{"some":"json"}\n', 'no-recording', 'is no recording of Patchbay'],
    ['\u0000\u0001\n', 'no-recording', 'is no recording of Patchbay'],
    [
      '{"format":"patchbay-recording","version":2}\n',
      'newer',
      'version 2; this Patchbay reads up to version 1',
    ],
    ['{"format":"patchbay-recording","version":1}\n', 'no-recording', 'does not say when'],
    [
      '{"format":"patchbay-recording","version":1,"startedAt":"2026-01-01T00:00:00.000Z"}\n{"at":1,"on":1,"from":"client","kind":"message","text":""}\n',
      'damaged',
      'line 2 makes no sense: connection 1 was not told before',
    ],
    [
      '{"format":"patchbay-recording","version":1,"startedAt":"2026-01-01T00:00:00.000Z"}\nnonsense\n',
      'damaged',
      'line 2 makes no sense: it is no JSON object',
    ],
  ])('is refused if it is something else: %j', async (text, code, words) => {
    const file = desk.at('other.ndjson')
    await writeFile(file, text)
    const refused = await entriesOf(file).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(RecordingError)
    expect(refused).toMatchObject({ code, message: expect.stringContaining(words) as string })
  })

  test('reports a missing file', async () => {
    await expect(entriesOf(desk.at('nowhere.ndjson'))).rejects.toMatchObject({ code: 'unreadable' })
  })
})
