import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { TEST_CERTIFICATE, TEST_KEY } from '../../transports/http/certificate.test-support.ts'
import { buildCli, runCli, ServeProcess } from '../cli-process.test-support.ts'

vi.setConfig({ testTimeout: 60_000 })

let folder = ''
const closing: (() => unknown)[] = []

beforeAll(async () => {
  await buildCli()
  folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-problems-'))
}, 60_000)
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A server of the older era in a few lines, which does what `extra` says first. */
const SERVER = (extra: string) => `${extra}
import readline from 'node:readline'
const say = (body) => console.log(JSON.stringify({ jsonrpc: '2.0', ...body }))
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const capabilities = { tools: {}, resources: {}, prompts: {} }
  if (method === 'initialize') say({ id, result: { protocolVersion: params.protocolVersion, capabilities, serverInfo: { name: 's', version: '1' } } })
  else if (method === 'tools/list') say({ id, result: { tools: [{ name: 'one', inputSchema: { type: 'object' } }] } })
  else if (method === 'tools/call') say({ id, result: { content: [{ type: 'text', text: 'done' }] } })
  else if (id !== undefined) say({ id, error: { code: -32601, message: 'Method not found' } })
})
`

async function script(name: string, extra: string): Promise<readonly string[]> {
  const file = path.join(folder, `${name}.mjs`)
  await writeFile(file, SERVER(extra))
  return ['--', process.execPath, file]
}

async function listening(answer: RequestListener, isTls = false): Promise<string> {
  const server = isTls
    ? createTlsServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, answer)
    : createServer(answer)
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `${isTls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCli([...words.slice(0, 1), '--profile', folder, ...words.slice(1)], { cwd: folder, env })

describe('the environment of a started server', () => {
  test('--env NAME passes on a variable of the shell, and the error of a server without it names the flag', async () => {
    const needs = await script(
      'needs',
      "if (process.env.MY_TEST_TOKEN !== 'abc') { console.error('MY_TEST_TOKEN is required'); process.exit(1) }",
    )
    const env = { MY_TEST_TOKEN: 'abc' }
    const refused = await run(['list', ...needs], env)
    expect(refused).toMatchObject({ code: 4, stdout: '' })
    expect(refused.stderr).toContain('Pass it on with --env MY_TEST_TOKEN.')
    expect(await run(['list', '--env', 'MY_TEST_TOKEN', ...needs], env)).toMatchObject({ code: 0 })
    const unset = await run(['list', '--env', 'MY_TEST_TOKEN', ...needs])
    expect(unset).toMatchObject({ code: 2 })
    expect(unset.stderr).toContain('--env MY_TEST_TOKEN: there is no such variable here')
  })
})

describe('text on stdout', () => {
  test.each(['list', 'discover', 'call'])(
    '%s says that there was some, and exits with 0',
    async (command) => {
      const chatty = await script('chatty', "console.log('Starting up'); console.log('Ready')")
      const words = command === 'call' ? ['call', 'one'] : [command]
      const ended = await run([...words, ...chatty])
      expect(ended.code).toBe(0)
      expect(ended.stderr).toContain('the server wrote 2 lines on stdout that are not JSON')
      expect(ended.stderr).toContain('The first: Starting up')
      expect((await run([...words, '--quiet', ...chatty])).stderr).toBe('')
    },
  )
})

test('--timeout limits connecting as a whole, and the error names the limit', async () => {
  const ended = await run([
    'list',
    '--timeout',
    '300',
    '--',
    process.execPath,
    '-e',
    'process.stdin.resume()',
  ])
  expect(ended).toMatchObject({ code: 4, stdout: '' })
  expect(ended.stderr).toContain('No answer within 300 ms.')
})

describe('over HTTP', () => {
  test('a failed Host check is not an authorization error: exit code 4, and the refused name', async () => {
    const url = await listening((_request, response) => {
      const error = { code: -32000, message: 'Invalid Host: 127.0.0.1' }
      response.writeHead(403, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }))
    })
    const ended = await run(['list', '--url', url])
    expect(ended).toMatchObject({ code: 4, stdout: '' })
    expect(ended.stderr).toContain('--allow-host 127.0.0.1')
    expect(ended.stderr).not.toContain('token')
  })

  test('a refusal by our own server is recognized too', async () => {
    const notes = new ServeProcess(['--http'], { cwd: os.tmpdir() })
    closing.push(() => notes.end())
    const [url = ''] = await notes.addresses()
    const ended = await run(['list', '--url', url, '--header', 'Host: other.example'])
    expect(ended).toMatchObject({ code: 4 })
    expect(ended.stderr).toContain('this Host is not served here')
  })

  test('of a web page a few lines are shown, without markup', async () => {
    const url = await listening((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<html><title>Example</title><style>a{}</style>${'<p>words '.repeat(900)}`)
    })
    const { code, stderr } = await run(['list', '--url', url])
    expect(code).toBe(4)
    expect(stderr).toContain('Example')
    expect(stderr).not.toMatch(/[<>]/)
    expect(stderr.trim().split('\n').length).toBeLessThan(10)
  })

  test('a certificate of its own is refused once, with our advice, and --cacert or --insecure accept it', async () => {
    const notes = await listening((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'application/json' })
      const supportedVersions = ['2026-07-28']
      const result = {
        resultType: 'complete',
        supportedVersions,
        capabilities: {},
        serverInfo: { name: 's', version: '1' },
      }
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        const { id } = JSON.parse(body) as { id: number }
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
      })
    }, true)
    const refused = await run(['list', '--url', notes])
    expect(refused.code).toBe(4)
    expect(refused.stderr).toContain('--cacert FILE')
    expect(refused.stderr).not.toContain('use-system-ca')
    expect(refused.stderr.match(/self-signed certificate/gi)).toHaveLength(1)

    const file = path.join(folder, 'ca.pem')
    await writeFile(file, TEST_CERTIFICATE)
    expect(await run(['discover', '--cacert', file, '--url', notes])).toMatchObject({ code: 0, stderr: '' })
    const insecure = await run(['discover', '--insecure', '--quiet', '--url', notes])
    expect(insecure.code).toBe(0)
    expect(insecure.stderr).toMatch(/^WARNING: --insecure: no certificate is checked\.[^\n]*\n$/)
    expect(await run(['discover', '--cacert', import.meta.filename, '--url', notes])).toMatchObject({
      code: 2,
    })
    expect(await run(['list', '--insecure', '--', 'x'])).toMatchObject({ code: 2 })
  })
})

test('colours are for terminals, and for those who ask for them', async () => {
  const words = ['ping', '--url', 'http://127.0.0.1:9/mcp']
  const red = '\u001b[31mpatchbay:'
  expect((await run(words)).stderr).toMatch(/^patchbay:/)
  expect((await run(words, { FORCE_COLOR: '1' })).stderr.startsWith(red)).toBe(true)
  expect((await run(words, { NO_COLOR: '1' })).stderr).toMatch(/^patchbay:/)
})

test('a server that declares logging without handling it still answers calls with --log-level', async () => {
  const words = await script('no-level', '')
  const called = await run(['call', 'one', '--log-level', 'debug', ...words])
  expect(called).toMatchObject({ code: 0, stdout: expect.stringContaining('done') as unknown })
  expect(called.stderr).toContain('the server does not know logging/setLevel')
})
