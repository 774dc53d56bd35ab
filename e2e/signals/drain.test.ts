import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildCli, patchbay } from '../../server-core/cli/cli-process.test-support.ts'
import { RawWebSocket } from '../../server-core/server/interop/websocket-raw.test-support.ts'
import { envelope } from '../../server-core/server/raw-client.test-support.ts'
import { isListening, StartedCommand } from './started-command.ts'

const WAIT_TOOL = `import { tool } from 'patchbay'
export default tool({
  input: { type: 'object', properties: { url: { type: 'string' } } },
  timeout: 60_000,
  run: async ({ url }) => (await fetch(url)).text(),
})
`
const ACCEPT = 'application/json, text/event-stream'
const REFUSAL = 'Invalid request: the server is shutting down; connect again later'

let home = ''
let folder = ''
/** What a running call waits for: it is in flight once its request is here, and ends with the response. */
let gate: Server
let held: Promise<ServerResponse>

beforeAll(buildCli, 60_000)
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'patchbay-drain-'))
  folder = path.join(home, 'workspace')
  await mkdir(path.join(folder, 'tools'), { recursive: true })
  await writeFile(path.join(folder, 'tools/wait.ts'), WAIT_TOOL)
  const arrived = Promise.withResolvers<ServerResponse>()
  held = arrived.promise
  gate = createServer((_request, response) => arrived.resolve(response)).listen(0, '127.0.0.1')
  await once(gate, 'listening')
})
afterEach(async () => {
  gate.closeAllConnections()
  gate.close()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

function call(id: number): object {
  const url = `http://127.0.0.1:${(gate.address() as AddressInfo).port}/`
  const params = { name: 'wait', arguments: { url }, _meta: envelope() }
  return { jsonrpc: '2.0', id, method: 'tools/call', params }
}

function post(url: URL, message: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: ACCEPT,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'wait',
    },
    body: JSON.stringify(message),
  })
}

function serve(...words: readonly string[]): StartedCommand {
  return StartedCommand.patchbay('built', ['serve', folder, '--trust', ...words], { home, piped: true })
}

async function expectEnd(command: StartedCommand, how: number | string = 0): Promise<void> {
  expect(await command.exited).toBe(how)
  expect(await command.left()).toEqual([])
}

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  test('over HTTP, a call in flight is answered and nobody can connect any more', async () => {
    const command = serve('--http')
    const url = await command.url()
    const answer = post(url, call(1))
    const response = await held
    process.kill(command.pid, signal)
    await expect.poll(() => isListening(url)).toBe(false)
    response.end('done')
    expect(await (await answer).json()).toMatchObject({ result: { content: [{ text: 'done' }] } })
    await expectEnd(command)
  })

  test('over WebSocket, a call in flight is answered and further ones are refused', async () => {
    const command = serve('--ws')
    const url = await command.url()
    const socket = await RawWebSocket.open(Number(url.port))
    socket.sendMessage(call(1))
    const response = await held
    process.kill(command.pid, signal)
    await expect.poll(() => isListening(url)).toBe(false)
    socket.sendMessage(call(2))
    expect(await socket.seen(({ id }) => id === 2)).toMatchObject({ error: { message: REFUSAL } })
    response.end('done')
    expect(await socket.seen(({ id }) => id === 1)).toMatchObject({
      result: { content: [{ text: 'done' }] },
    })
    expect(await socket.closeCode()).toBe(1001)
    await expectEnd(command)
  })

  test('over stdio, a call in flight is answered and further ones are refused', async () => {
    const command = serve('--stdio', '--log-level', 'debug')
    const messages: Record<string, unknown>[] = []
    createInterface({ input: command.output }).on('line', (line) => {
      messages.push(JSON.parse(line) as Record<string, unknown>)
    })
    command.input.write(`${JSON.stringify(call(1))}\n`)
    const response = await held
    process.kill(command.pid, signal)
    await command.writes(/debug: shutting down/)
    command.input.write(`${JSON.stringify(call(2))}\n`)
    await expect.poll(() => messages).toMatchObject([{ id: 2, error: { message: REFUSAL } }])
    response.end('done')
    await expectEnd(command)
    expect(messages[1]).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } })
  })
})

test('a call in flight through a proxy is answered', async () => {
  const words = ['proxy', '--ws', '--', process.execPath, patchbay, 'serve', folder, '--trust', '--stdio']
  const command = StartedCommand.patchbay('built', words, { home, piped: true })
  const url = await command.url()
  const socket = await RawWebSocket.open(Number(url.port))
  socket.sendMessage(call(1))
  const response = await held
  command.processes()
  process.kill(command.pid, 'SIGTERM')
  await expect.poll(() => isListening(url)).toBe(false)
  response.end('done')
  expect(await socket.seen(({ id }) => id === 1)).toMatchObject({ result: { content: [{ text: 'done' }] } })
  await expectEnd(command)
})

test('open streams and subscriptions end at once', async () => {
  const command = serve('--ws', '--http', '--sse')
  const url = await command.url()
  await command.writes(/listens at http:\S+\/sse\n/)
  const stream = await fetch(new URL('/sse', `http://${url.host}`), { headers: { accept: ACCEPT } })
  const socket = await RawWebSocket.open(Number(url.port))
  const params = { notifications: { toolsListChanged: true }, _meta: envelope() }
  socket.sendMessage({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params })
  await socket.seen(({ method }) => method === 'notifications/subscriptions/acknowledged')
  process.kill(command.pid, 'SIGTERM')
  expect(await stream.text()).toContain('event: endpoint')
  expect(await socket.seen(({ id }) => id === 1)).toHaveProperty('result')
  expect(await socket.closeCode()).toBe(1001)
  await expectEnd(command)
})

test.each([
  ['over HTTP', '--http'],
  ['over WebSocket', '--ws'],
])('%s, a call that does not finish is cut off, with a warning', async (_name, flag) => {
  const command = serve(flag)
  const url = await command.url()
  const answer =
    flag === '--ws'
      ? RawWebSocket.open(Number(url.port)).then(async (socket) => {
          socket.sendMessage(call(1))
          await socket.ended
        })
      : post(url, call(1)).catch(() => 'cut off')
  await held
  command.processes()
  process.kill(command.pid, 'SIGTERM')
  await command.writes(/warning: requests that were still running after 5 s were cut off\n/)
  await answer
  await expectEnd(command)
})

test('a second signal ends it at once', async () => {
  const command = serve('--http')
  const url = await command.url()
  const answer = post(url, call(1)).catch(() => 'cut off')
  await held
  command.processes()
  process.kill(command.pid, 'SIGTERM')
  await expect.poll(() => isListening(url)).toBe(false)
  process.kill(command.pid, 'SIGINT')
  expect(await answer).toBe('cut off')
  await expectEnd(command, 'SIGINT')
  expect(command.stderr).not.toContain('cut off')
})
