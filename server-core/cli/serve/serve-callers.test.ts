import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { replaceFile } from '../../workspace/atomic-file.ts'
import { buildCli, ServeProcess } from '../cli-process.test-support.ts'

const WHO = `import { tool } from 'patchbay'
export default tool({ run: (_, ctx) => ctx.principal?.subject ?? 'nobody' })
`
const HANDSHAKE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

let folder = ''
const closing: (() => Promise<unknown>)[] = []

beforeAll(buildCli, 120_000)
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-callers-'))
  await mkdir(path.join(folder, 'tools'))
  await writeFile(path.join(folder, 'tools', 'who.ts'), WHO)
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await rm(folder, { recursive: true, force: true })
})

function serve(words: readonly string[], env: Readonly<Record<string, string>> = {}): ServeProcess {
  const served = new ServeProcess([folder, '--trust', '--http', '--sse', ...words], { cwd: folder, env })
  closing.push(() => served.end())
  return served
}

async function connected(url: string, token?: string): Promise<Client> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const client = new Client({ name: 'official', version: '1' })
  closing.push(() => client.close())
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  return client
}

async function textOf(client: Client): Promise<unknown> {
  return (await client.callTool({ name: 'who' }))['content']
}

/** A POST of a message, as it is answered. */
function post(url: string, message: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const body = JSON.stringify(message)
  const standard = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  return fetch(url, { method: 'POST', headers: { ...standard, ...headers }, body })
}

test('named tokens are callers of their own: handlers and the log know them, sessions are not shared', async () => {
  const served = serve(['--log-level', 'debug'], { PATCHBAY_TOKENS: 'ann:a1,bob:b2' })
  const [url = ''] = await served.addresses(2)
  expect(await textOf(await connected(url, 'a1'))).toEqual([{ type: 'text', text: 'ann' }])
  expect(await textOf(await connected(url, 'b2'))).toEqual([{ type: 'text', text: 'bob' }])
  await served.tells(/who \{\} from official \(ann\)/)
  await expect(connected(url, 'c3')).rejects.toThrow()
  const session = await post(url, HANDSHAKE, { authorization: 'Bearer a1' })
  const id = session.headers.get('mcp-session-id') ?? ''
  const ping = { jsonrpc: '2.0', id: 2, method: 'ping' }
  const asked = (token: string) => post(url, ping, { authorization: `Bearer ${token}`, 'mcp-session-id': id })
  expect((await asked('b2')).status).toBe(404)
  expect((await asked('a1')).status).toBe(200)
  expect(served.stderr).not.toMatch(/\ba1\b|\bb2\b/)
})

test('a workspace is switched off and on while it is served, by its patchbay.json', async () => {
  const served = serve(['--off'])
  const [url = ''] = await served.addresses(2)
  await served.tells('is switched off')
  const refused = await post(url, HANDSHAKE)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60'])
  expect(await refused.text()).toContain('"enabled": true')
  expect((await fetch(url.replace('/mcp', '/sse'))).status).toBe(503)
  const file = path.join(folder, 'patchbay.json')
  await replaceFile(file, JSON.stringify({ serve: { enabled: true } }), 0o644)
  await served.tells('switched on')
  const client = await connected(url)
  expect(await textOf(client)).toEqual([{ type: 'text', text: 'nobody' }])
  await replaceFile(file, JSON.stringify({ serve: { enabled: false } }), 0o644)
  await served.tells(/switched on[^]*is switched off/)
  await expect(client.listTools()).rejects.toThrow('switched off')
  await replaceFile(file, JSON.stringify({ serve: {} }), 0o644)
  await served.tells(/is switched off[^]*switched on[^]*is switched off[^]*switched on/)
  expect(await textOf(client)).toEqual([{ type: 'text', text: 'nobody' }])
  expect(await readFile(file, 'utf8')).toBe('{"serve":{}}')
})

test('idle sessions end after --session-ttl, over Streamable HTTP and HTTP+SSE', async () => {
  const served = serve(['--session-ttl', '1'])
  const [url = '', sse = ''] = await served.addresses(2)
  const statusOf = async (target: string, headers: Record<string, string>) =>
    (await post(target, { jsonrpc: '2.0', id: 2, method: 'ping' }, headers)).status
  const session = await post(url, HANDSHAKE)
  const id = session.headers.get('mcp-session-id') ?? ''
  const older = await post(sse.replace('/sse', '/messages'), HANDSHAKE)
  const messages = `${sse.replace('/sse', '/messages')}?sessionId=${older.headers.get('mcp-session-id') ?? ''}`
  expect(await statusOf(url, { 'mcp-session-id': id })).toBe(200)
  expect(await statusOf(messages, {})).toBe(200)
  // Each look is a use: so the looks are further apart than the session lasts.
  await expect
    .poll(() => statusOf(url, { 'mcp-session-id': id }), { interval: 2_500, timeout: 30_000 })
    .toBe(404)
  expect(await statusOf(messages, {})).toBe(404)
}, 60_000)
