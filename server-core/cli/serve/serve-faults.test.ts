import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildCli, patchbay, runCli, ServeProcess } from '../cli-process.test-support.ts'

let folder = ''
const closing: (() => Promise<unknown>)[] = []

beforeAll(buildCli, 60_000)

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-faults-'))
})

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await rm(folder, { recursive: true, force: true })
})

async function write(name: string, content: unknown): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, JSON.stringify(content))
  return file
}

async function connected(transport: StdioClientTransport | StreamableHTTPClientTransport): Promise<Client> {
  const client = new Client({ name: 'official', version: '1' })
  closing.push(() => client.close())
  await client.connect(transport)
  return client
}

test('makes the faults of a file over HTTP, and tells each of them', async () => {
  const faults = await write('faults.json', {
    rules: [{ id: 'busy', kind: 'status', status: 503, where: { tool: 'list_notes' } }],
  })
  const served = new ServeProcess(['--http', '--faults', faults], { cwd: folder })
  closing.push(() => served.end())
  const [url = ''] = await served.addresses()
  const client = await connected(new StreamableHTTPClientTransport(new URL(url)))
  await expect(client.callTool({ name: 'list_notes' })).rejects.toThrow('made on purpose')
  expect((await client.listTools()).tools.length).toBeGreaterThan(0)
  await served.tells('fault "busy" over http, tool list_notes: status: answered with HTTP 503')
  await served.end()
  expect(served.stderr).toContain('faults made: "busy" once')
})

test('takes the faults of patchbay.json, floods standard error over stdio and closes', async () => {
  await write('patchbay.json', {
    faults: {
      rules: [
        { id: 'loud', kind: 'stderr-flood', bytes: 300_000, where: { tool: 'list_notes' } },
        { id: 'gone', kind: 'close', where: { tool: 'add_note' } },
      ],
    },
  })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [patchbay, 'serve', '--stdio', '--workspace', folder],
    stderr: 'pipe',
  })
  let bytes = 0
  transport.stderr?.on('data', (chunk: Buffer) => (bytes += chunk.length))
  const client = await connected(transport)
  await client.callTool({ name: 'list_notes' })
  await expect.poll(() => bytes).toBeGreaterThan(300_000)
  await expect(client.callTool({ name: 'add_note', arguments: { title: 'a', text: 'b' } })).rejects.toThrow(
    'Connection closed',
  )
})

test('says what is wrong with faults before anything is served', async () => {
  const impossible = await write('impossible.json', {
    rules: [{ id: 'x', kind: 'status', where: { transport: 'stdio' } }],
  })
  const unknown = await write('unknown.json', { rules: [{ id: 'x', kind: 'explode' }] })
  for (const [file, words] of [
    [impossible, 'rule "x": status cannot be made over stdio; it can over http, sse, websocket'],
    [unknown, 'rules.0.kind: expected one of delay, drop, '],
    [unknown, ', got the text "explode"'],
    ['nowhere.json', 'cannot be read'],
  ] as const) {
    const ended = await runCli(['serve', '--http', '--faults', file], { cwd: folder })
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(words)])
  }
})
