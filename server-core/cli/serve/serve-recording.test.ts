import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { readRecording } from '../../capture/recording/recording-reader.ts'
import { buildCli, runCli, ServeProcess } from '../cli-process.test-support.ts'

let folder = ''
const closing: (() => Promise<unknown>)[] = []

beforeAll(buildCli, 60_000)

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-record-'))
})

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await rm(folder, { recursive: true, force: true })
})

test('records the messages of the clients of every transport, without their token', async () => {
  await writeFile(path.join(folder, 'patchbay.json'), JSON.stringify({ serve: { record: 'calls.ndjson' } }))
  await writeFile(path.join(folder, 'calls.ndjson'), 'of another time\n')
  const served = new ServeProcess(['--trust', '--http', '--ws', '--token', 'token-of-clients'], {
    cwd: folder,
  })
  closing.push(() => served.end())
  await served.tells(`recording to ${path.join(folder, 'calls-2.ndjson')}`)
  const [http = '', ws = ''] = await served.addresses(2)
  const client = new Client({ name: 'official', version: '1' })
  closing.push(() => client.close())
  const requestInit = { headers: { authorization: 'Bearer token-of-clients' } }
  await client.connect(new StreamableHTTPClientTransport(new URL(http), { requestInit }))
  const title = 'says token-of-clients, ä and \u2028'
  await client.callTool({ name: 'create_note', arguments: { title } })
  await client.close()
  // Credentials that a client sends in other ways than ours.
  await fetch(`${http}?token=planted-in-query&page=2`, {
    headers: { 'x-api-key': 'planted-in-header', referer: 'https://user:planted-in-referer@page.test/' },
  })
  // The official client has no way to send a token over WebSocket: that it was refused is recorded too.
  const refused = new Client({ name: 'refused', version: '1' })
  await expect(refused.connect(new WebSocketClientTransport(new URL(ws)))).rejects.toThrow()
  expect(await served.end()).toBe(0)

  expect(await readFile(path.join(folder, 'calls.ndjson'), 'utf8')).toBe('of another time\n')
  const file = path.join(folder, 'calls-2.ndjson')
  const recorded = await readFile(file, 'utf8')
  expect(recorded).not.toContain('token-of-clients')
  expect(recorded).not.toContain('planted-in')
  expect(recorded).toContain('?token=⟨redacted⟩&page=2')
  const entries = await Array.fromAsync(readRecording(file))
  const frames = entries.filter((entry) => entry.type === 'frame')
  expect(served.stderr).toContain(`recorded ${frames.length} frames in ${file}\n`)
  expect(entries.at(-1)).toEqual({ type: 'end', closed: true, tornBytes: 0 })
  expect(frames[0]?.connection).toEqual({ number: 1, transport: 'http', side: 'server', serverName: 'notes' })
  expect(frames.map(({ event }) => event).filter((event) => event !== undefined)).toEqual([
    'opened',
    'closed',
  ])
  expect(frames.some(({ http: facts }) => facts?.status === 401 && facts.url === '/ws')).toBe(true)
  const call = frames.find(({ bytes }) => bytes.includes('create_note') && bytes.includes('tools/call'))
  expect(call).toMatchObject({ direction: 'sent', kind: 'message', masked: true })
  expect(call?.http?.headers['authorization']).toBe('Bearer ⟨redacted⟩')
  expect(JSON.parse(call?.bytes.toString() ?? '')).toMatchObject({
    params: { arguments: { title: title.replace('token-of-clients', '⟨redacted⟩') } },
  })
  expect(
    frames.some(({ direction, bytes }) => direction === 'received' && bytes.includes('⟨redacted⟩')),
  ).toBe(true)
})

test('says what cannot be recorded to before anything is served', async () => {
  const write = (record: string) =>
    writeFile(path.join(folder, 'patchbay.json'), JSON.stringify({ serve: { record } }))
  const run = () => runCli(['serve', '--http', '--trust'], { cwd: folder })
  expect(
    await runCli(['serve', '--http', '--record', 'nowhere/calls.ndjson'], { cwd: folder }),
  ).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('cannot record to') as string,
  })
  for (const elsewhere of ['../calls.ndjson', path.join(os.tmpdir(), 'calls.ndjson')]) {
    await write(elsewhere)
    expect(await run()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('serve.record: expected a file in the folder') as string,
    })
  }
  if (process.platform !== 'win32') {
    await symlink(os.tmpdir(), path.join(folder, 'link'))
    await write('link/calls.ndjson')
    expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('by a link') as string })
  }
  expect((await readdir(folder)).filter((name) => name.endsWith('.ndjson'))).toEqual([])
})
