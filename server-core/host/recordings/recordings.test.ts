import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { NOTES, startTestHost, watchUntil, type HostClient } from '../host.test-support.ts'
import type { Exchange } from '../contract/traffic.ts'

const EMBEDDED = 'this-app'

async function timeline(
  client: HostClient,
  fits: (rows: readonly Exchange[]) => boolean,
): Promise<Exchange[]> {
  const rows = new Map<string, Exchange>()
  await watchUntil(
    client,
    (batch) => {
      for (const row of batch.exchanges ?? []) rows.set(row.id, row)
      return fits([...rows.values()])
    },
    `timeline ${Math.random()}`,
  )
  return [...rows.values()]
}

const isDone = (text: string) => (rows: readonly Exchange[]) =>
  rows.some(({ method, label, outcome }) => method === 'tools/call' && label === text && outcome === 'ok')

test('what was seen is there again after a restart, in the timeline and page by page', async () => {
  const first = await startTestHost({ defaultWorkspace: NOTES })
  const { profile } = first
  const [server] = await first.client.servers.list()
  const serverId = server?.id ?? EMBEDDED
  await first.client.inspect.request({
    serverId,
    tab: 't',
    callId: 'c',
    method: 'tools/call',
    paramsText: JSON.stringify({ name: 'list_notes', arguments: {} }),
  })
  const seen = await timeline(first.client, isDone('list_notes'))
  expect(seen.filter(({ earlierRun }) => earlierRun === true)).toEqual([])
  await first.client.windowState.save({ tabs: '{"open":1}' })
  await first.close()

  const second = await startTestHost({ defaultWorkspace: NOTES, profile })
  const rows = await timeline(second.client, isDone('list_notes'))
  const row = rows.find(({ label }) => label === 'list_notes')
  expect(row?.earlierRun).toBe(true)
  expect(await second.client.windowState.load()).toEqual({ tabs: '{"open":1}' })
  const { ended, running } = await second.client.inspect.calls({ tab: 't' })
  expect(running).toEqual([])
  expect(ended).toMatchObject([{ callId: 'c', isEarlier: true, outcome: { type: 'result' } }])
  expect(ended[0]?.outcome).not.toHaveProperty('exchangeId')
  const { frames } = await second.client.traffic.frames({ seqs: row?.frames ?? [] })
  expect(frames.map(({ text }) => text).join('\n')).toContain('"content"')
  expect(
    rows.filter(({ outcome, startedAt }) => outcome === 'open' && startedAt < (row?.startedAt ?? 0)),
  ).toEqual([])

  const page = await second.client.recordings.rows({ filter: { target: 'list_notes' } })
  expect(page.rows.map(({ method, label, outcome }) => [method, label, outcome])).toEqual([
    ['tools/call', 'list_notes', 'ok'],
  ])
  const [found] = page.rows
  const recorded = await second.client.recordings.frames({
    id: found?.recording ?? '',
    numbers: found?.frames ?? [],
  })
  expect(recorded.frames.map(({ text }) => text)).toEqual(frames.map(({ text }) => text))
  // Page by page, nothing is there twice.
  const ids: string[] = []
  for (let cursor: Record<string, number> | undefined = {}; cursor !== undefined;) {
    const each: Awaited<ReturnType<typeof second.client.recordings.rows>> =
      await second.client.recordings.rows({
        limit: 3,
        filter: { until: found?.startedAt },
        cursor,
      })
    ids.push(...each.rows.map(({ id }) => id))
    cursor = each.next
  }
  expect(ids.length).toBeGreaterThan(3)
  expect(new Set(ids).size).toBe(ids.length)

  const kept = await second.client.recordings.keep({ id: found?.recording ?? '', name: 'first run' })
  expect(await readFile(kept.file, 'utf8')).toContain('"list_notes"')
  const { problems, isClosed, methods } = await second.client.recordings.open({ id: found?.recording ?? '' })
  expect([problems, isClosed]).toEqual([[], true])
  expect(methods).toContainEqual({ method: 'tools/call', count: 1, errors: 0 })
  await second.client.recordings.delete({ id: found?.recording ?? '' })
  await expect(second.client.recordings.open({ id: found?.recording ?? '' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  await expect(second.client.recordings.open({ id: '../../etc' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  await second.close()
})

test('nothing is recorded of an excluded server, nor while recording is off, and rules mask what they name', async () => {
  const host = await startTestHost({ defaultWorkspace: NOTES })
  const [server] = await host.client.servers.list()
  const serverId = server?.id ?? EMBEDDED
  const call = async (title: string) => {
    await host.client.inspect.request({
      serverId,
      tab: 't',
      callId: title,
      method: 'tools/call',
      paramsText: JSON.stringify({ name: 'create_note', arguments: { title, text: 'pin 1234-5678' } }),
    })
  }
  await host.client.recordings.saveSettings({ except: [serverId] })
  await call('excluded')
  await host.client.recordings.saveSettings({ except: [], on: false })
  await call('switched off')
  await host.client.recordings.saveSettings({
    on: true,
    redact: [
      { type: 'pattern', pattern: String.raw`\d{4}-\d{4}` },
      { type: 'path', path: 'params.arguments.title' },
    ],
  })
  await call('rules')
  await expect(
    host.client.recordings.saveSettings({ redact: [{ type: 'pattern', pattern: '(' }] }),
  ).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  await host.close()
  const folder = path.join(host.profile, 'recordings')
  let all = ''
  for (const name of await readdir(folder, { recursive: true }))
    if (name.endsWith('.ndjson')) all += await readFile(path.join(folder, name), 'utf8')
  expect(all).toContain('create_note')
  expect(all).toContain('pin ⟨redacted⟩')
  for (const text of ['"excluded"', '"switched off"', '{"title":"rules"', '1234-5678'])
    expect(all).not.toContain(text)
})

test('a call is written as a test, and saved beside the workspace without replacing a file', async () => {
  const host = await startTestHost({ defaultWorkspace: NOTES })
  const [server] = await host.client.servers.list()
  await host.client.inspect.request({
    serverId: server?.id ?? EMBEDDED,
    tab: 't',
    callId: 'c',
    method: 'tools/call',
    paramsText: JSON.stringify({ name: 'search_notes', arguments: { query: 'nothing has this' } }),
  })
  const row = (await timeline(host.client, isDone('search_notes'))).find(
    ({ label }) => label === 'search_notes',
  )
  const exchange = { frames: row?.frames ?? [] }
  const { text } = await host.client.recordings.testOf({
    exchange,
    server: { workspace: '.' },
    revision: '2025-11-25',
    source: 'an exchange',
  })
  expect(text).toContain("test.use({ server: { workspace: '.' }, revision: '2025-11-25' })")
  expect(text).toContain("mcp.callTool('search_notes', { query: 'nothing has this' })")
  expect(text).toContain('// Made from an exchange.')

  const saved = await host.client.recordings.saveTest({ name: 'search notes.spec.ts', text })
  expect(path.basename(path.dirname(saved.file))).toBe('tests')
  expect(await readFile(saved.file, 'utf8')).toBe(text)
  await expect(
    host.client.recordings.saveTest({ name: 'search notes.spec.ts', text: 'other' }),
  ).rejects.toMatchObject({ code: 'ALREADY_EXISTS' })
  expect(await readFile(saved.file, 'utf8')).toBe(text)
  for (const name of ['../up.spec.ts', 'a/b.spec.ts', 'notes.txt', '.spec.ts'])
    await expect(host.client.recordings.saveTest({ name, text })).rejects.toMatchObject({
      code: expect.stringMatching(/BAD_REQUEST|INVALID/) as string,
    })
  await expect(
    host.client.recordings.testOf({ exchange: { frames: [999_999] }, source: 'nothing' }),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await host.close()
})
