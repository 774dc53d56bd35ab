import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { NOTES, startTestHost, type HostClient } from '../host.test-support.ts'
import { IMPORT_MOST_BYTES } from '../contract/recordings.ts'

const HEADER = '{"format":"patchbay-recording","version":2,"startedAt":"2026-11-22T14:00:00.000Z"}\n'
const LINES = [
  '{"connection":1,"transport":"stdio","side":"client","server":"weather"}',
  '{"at":1000,"on":1,"from":"client","kind":"message","message":{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"clientInfo":{"name":"robot","version":"3"}}}}',
  '{"at":2000,"on":1,"from":"client","kind":"message","message":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"forecast","arguments":{"city":"Oslo"}}}}',
  '{"at":9000,"on":1,"from":"server","kind":"message","message":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\\"rain\\":1.4,\\"at\\":\\"2026-11-22T14:00:00Z\\"}"}]}}}',
]
const END = '{"at":95000,"end":{"frames":3,"shed":0}}\n'
const whole = `${HEADER}${LINES.join('\n')}\n${END}`

async function importText({ recordings }: HostClient, text: string, fileName: string) {
  const upload = randomUUID()
  const bytes = Buffer.from(text)
  const half = Math.floor(bytes.length / 2)
  await recordings.importPart({ upload, offset: 0, base64: bytes.subarray(0, half).toString('base64') })
  await recordings.importPart({ upload, offset: half, base64: bytes.subarray(half).toString('base64') })
  return recordings.importEnd({ upload, fileName })
}

test(
  'a file is imported whole or in part, and a rejected one leaves nothing behind',
  { timeout: 180_000 },
  async () => {
    const host = await startTestHost({ defaultWorkspace: NOTES })
    const { recordings } = host.client

    const good = await importText(host.client, whole, '../../<img src=x>.ndjson')
    expect(good.problems).toEqual([])
    const stored = (await recordings.list()).find(({ id }) => id === good.id)
    expect(stored).toMatchObject({
      serverName: 'weather',
      name: '../../<img src=x>',
      imported: true,
      isOpen: false,
    })
    expect((await recordings.facts()).find(({ id }) => id === good.id)).toEqual({
      id: good.id,
      frames: 3,
      errors: 0,
      client: 'robot 3',
      problems: [],
    })

    const cut = await importText(host.client, whole.slice(0, -80), 'cut.ndjson')
    expect(cut.problems.join('; ')).toContain('it may be truncated')
    const { rows } = await recordings.rows({ id: cut.id })
    expect(rows.map(({ method }) => method)).toEqual(['initialize', 'tools/call'])
    const damaged = await importText(
      host.client,
      `${HEADER}${LINES[0]}\n\u0000{{{\n${LINES[1]}\n${END}`,
      'damaged',
    )
    expect(damaged.problems.join('; ')).toContain('cannot be read')

    for (const [text, reason] of [
      ['{"log":{"version":"1.2"}}', 'foreign.har is not a recording: expected NDJSON of Patchbay'],
      ['', 'foreign.har is not a recording: expected NDJSON of Patchbay'],
      ['\u0000'.repeat(70_000), 'foreign.har is not a recording: expected NDJSON of Patchbay'],
      [whole.replace('"version":2', '"version":9'), 'foreign.har is a recording of version 9'],
    ] as const)
      await expect(importText(host.client, text, 'foreign.har')).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
        message: expect.stringContaining(reason),
      })
    await expect(
      recordings.importPart({ upload: randomUUID(), offset: IMPORT_MOST_BYTES, base64: '' }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    // Connections of the host itself may be recorded meanwhile.
    const imported = (await recordings.list()).filter((each) => each.imported === true)
    expect(imported).toHaveLength(3)
    const folders = await readdir(path.join(host.profile, 'recordings'))
    expect(folders.filter((each) => each.startsWith('imported-'))).toHaveLength(3)
    expect(folders).not.toContain('.imports')
    await host.close()
  },
)

test('a recording gets a name, comments, and files of every format', async () => {
  const host = await startTestHost({ defaultWorkspace: NOTES })
  const { recordings } = host.client
  const { id } = await importText(host.client, whole, 'calls.ndjson')
  await recordings.rename({ id, name: 'Oslo, before' })
  expect((await recordings.list()).find((each) => each.id === id)?.name).toBe('Oslo, before')
  await recordings.comment({ id, at: Date.parse('2026-11-22T14:00:00.004Z'), text: 'why 1.4?' })
  expect((await recordings.open({ id })).notes).toEqual([
    { type: 'comment', at: Date.parse('2026-11-22T14:00:00.004Z'), text: 'why 1.4?' },
  ])
  for (const [format, within] of [
    ['html', '<!doctype html>'],
    ['ndjson', 'why 1.4?'],
    ['har', '"log"'],
    ['curl', '#!/bin/sh'],
  ] as const) {
    const first = await recordings.export({ id, format })
    const second = await recordings.export({ id, format })
    expect(path.basename(first.file)).toContain('Oslo- before')
    expect(second.file).not.toBe(first.file)
    expect(await readFile(first.file, 'utf8')).toContain(within)
    if (format === 'har') expect(first.notes.join()).toContain('HAR has HTTP and WebSockets only')
  }
  await host.close()
})

test('exchanges and recordings are compared; values of the run are apart and pointers can be left out', async () => {
  const host = await startTestHost({ defaultWorkspace: NOTES })
  const { recordings } = host.client
  const changed = whole.replace('1.4', String.raw`\"1.4\"`).replace('T14:00:00Z', 'T15:30:00Z')
  const before = (await importText(host.client, whole, 'a')).id
  const after = (await importText(host.client, changed, 'b')).id
  const found = await recordings.compareRecordings({ before, after })
  expect(found).toMatchObject({ same: 1, changed: 1, onlyBefore: 0, onlyAfter: 0, more: 0 })
  const [call] = found.calls
  expect(call).toMatchObject({ method: 'tools/call', target: 'forecast', changes: 1, volatile: 1 })
  const input = {
    before: { recording: before, frames: call?.before?.frames ?? [] },
    after: { recording: after, frames: call?.after?.frames ?? [] },
  }
  const compared = await recordings.compareExchanges(input)
  expect(compared.changes).toEqual([
    {
      kind: 'type',
      pointer: '/result/content/0/text/rain',
      before: { json: '1.4', truncated: false },
      after: { json: '"1.4"', truncated: false },
    },
  ])
  expect(compared.volatile).toEqual([
    {
      kind: 'time',
      pointer: '/result/content/0/text/at',
      after: { json: '"2026-11-22T15:30:00Z"', truncated: false },
    },
  ])
  const left = await recordings.compareExchanges({ ...input, ignore: ['rain'], exact: true })
  expect([left.changes.map(({ pointer }) => pointer), left.ignored]).toEqual([
    ['/result/content/0/text/at'],
    1,
  ])
  await host.close()
})
