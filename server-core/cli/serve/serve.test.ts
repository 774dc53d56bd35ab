import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Authority } from '../../authorization/authority.test-support.ts'
import { freePort } from '../../free-port.test-support.ts'
import { SUPPORTED } from '../../protocol/revisions.ts'
import { buildCli, patchbay, runCli, ServeProcess, urlsIn } from '../cli-process.test-support.ts'

let folder = ''
const closing: (() => Promise<unknown>)[] = []

beforeAll(buildCli, 60_000)

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-serve-'))
})

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await rm(folder, { recursive: true, force: true })
})

/** Starts a server that listens; it has to end well on a signal. */
function serve(words: readonly string[], env: Readonly<Record<string, string>> = {}): ServeProcess {
  const served = new ServeProcess(words, { cwd: folder, env })
  closing.push(async () => {
    expect(await served.end()).toBe(0)
  })
  return served
}

/** The official client over the transport that an address is for. */
async function connected(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'official', version: '1' })
  closing.push(() => client.close())
  await client.connect(transport)
  return client
}

function transportOf(address: string): Transport {
  const url = new URL(address)
  if (url.protocol === 'ws:') return new WebSocketClientTransport(url)
  return url.pathname === '/sse' ? new SSEClientTransport(url) : new StreamableHTTPClientTransport(url)
}

async function titles(client: Client): Promise<unknown> {
  const found = await client.callTool({ name: 'list_notes' })
  return (found['structuredContent'] as { notes: { title: string }[] }).notes.map(({ title }) => title)
}

/** The status of a GET, sent as no well-behaved client would. */
function statusOf(url: string, headers: Readonly<Record<string, string>> = {}): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

const PATHS = { '--http': '/mcp', '--sse': '/sse', '--ws': '/ws' }

describe('transports', () => {
  test.each(Object.entries(PATHS))('%s alone serves %s and nothing else', async (flag, own) => {
    const served = serve([flag])
    const [url = ''] = await served.addresses()
    expect(new URL(url).pathname).toBe(own)
    const client = await connected(transportOf(url))
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('create_note')
    for (const other of Object.values(PATHS).filter((each) => each !== own)) {
      expect(await statusOf(new URL(other, url.replace('ws:', 'http:')).href)).toBe(404)
    }
    const lines = served.stderr.split('\n')
    const deprecated = lines.filter((line) =>
      line.startsWith('patchbay: info: The MCP transport HTTP+SSE is '),
    )
    expect(deprecated).toHaveLength(flag === '--sse' ? 1 : 0)
    const others = lines.filter((line) => !deprecated.includes(line))
    expect(others).toEqual([`The notes server listens at ${url}`, ''])
  })

  test('--all serves one and the same server in four ways', async () => {
    const stdio = new StdioClientTransport({
      command: process.execPath,
      args: [patchbay, 'serve', '--all'],
      cwd: folder,
      stderr: 'pipe',
    })
    let stderr = ''
    stdio.stderr?.on('data', (bytes: Buffer) => (stderr += bytes.toString()))
    const first = await connected(stdio)
    await first.callTool({ name: 'create_note', arguments: { title: 'over stdio' } })
    // Output on another stream may come after the answer.
    await expect.poll(() => urlsIn(stderr).length).toBe(3)
    const urls = urlsIn(stderr)
    expect(urls.map((url) => new URL(url).pathname)).toEqual(['/mcp', '/sse', '/ws'])
    expect(new Set(urls.map((url) => new URL(url).port)).size).toBe(1)
    for (const url of urls) expect(await titles(await connected(transportOf(url)))).toEqual(['over stdio'])
  })

  test('what is served over standard input ends with it, whatever else it listens to', async () => {
    const served = new ServeProcess(['--all'], { cwd: folder })
    await served.addresses(3)
    served.endInput()
    expect(await served.exited).toBe(0)
  })

  test('a server on other transports does not end with standard input', async () => {
    const served = serve(['--http', '--ws'])
    const [url = ''] = await served.addresses(2)
    served.endInput()
    const client = await connected(transportOf(url))
    expect((await client.listTools()).tools.length).toBeGreaterThan(0)
  })

  test('a port is listened on, and one that is taken is said to be', async () => {
    const port = await freePort()
    const holder = net.createServer().listen(port, '127.0.0.1')
    await new Promise((resolve) => holder.once('listening', resolve))
    const refused = await runCli(['serve', '--port', String(port)], { cwd: folder })
    expect(refused).toMatchObject({ code: 4, stdout: '' })
    expect(refused.stderr).toBe(
      `patchbay: Port ${port} on 127.0.0.1 is taken by another program; choose another port (0 for any) or stop that program\n`,
    )
    await new Promise((resolve) => holder.close(resolve))
    const [url = ''] = await serve(['--host', 'localhost', '--port', String(port)]).addresses()
    expect(url).toBe(`http://localhost:${port}/mcp`)
    expect((await (await connected(transportOf(url))).listTools()).tools.length).toBeGreaterThan(0)
  })
})

describe('who may connect', () => {
  const bearer = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } })

  test('a token, by the variable or by the flag, which wins', async () => {
    const [url = ''] = await serve(['--http', '--token', 'from-the-flag'], {
      PATCHBAY_TOKEN: 'from-the-variable',
    }).addresses()
    for (const options of [undefined, bearer('from-the-variable')]) {
      const transport = new StreamableHTTPClientTransport(new URL(url), options)
      await expect(connected(transport)).rejects.toThrow()
    }
    const client = await connected(new StreamableHTTPClientTransport(new URL(url), bearer('from-the-flag')))
    expect(await titles(client)).toEqual([])
    const [other = ''] = await serve(['--http'], { PATCHBAY_TOKEN: 'from-the-variable' }).addresses()
    expect(await statusOf(other)).toBe(401)
    expect(
      await titles(
        await connected(new StreamableHTTPClientTransport(new URL(other), bearer('from-the-variable'))),
      ),
    ).toEqual([])
  })

  test('names and origins beside our own are those that were allowed', async () => {
    const [url = ''] = await serve([
      '--http',
      '--allow-host',
      'notes.test',
      '--allow-origin',
      'https://page.test',
    ]).addresses()
    expect(await statusOf(url, { host: 'notes.test' })).not.toBe(403)
    expect(await statusOf(url, { host: 'other.test' })).toBe(403)
    expect(await statusOf(url, { origin: 'https://page.test' })).not.toBe(403)
    expect(await statusOf(url, { origin: 'https://other.test' })).toBe(403)
  })

  test('tokens of an authorization server that patchbay.json names', async () => {
    const authority = await Authority.start()
    closing.push(() => authority.close())
    const resource = 'http://127.0.0.1:4040/mcp'
    const authorization = {
      resource,
      authorizationServers: [{ issuer: authority.issuer }],
      requiredScopes: { tools: { create_note: ['write'] } },
    }
    await writeFile(path.join(folder, 'patchbay.json'), JSON.stringify({ serve: { authorization } }))
    const [url = ''] = await serve(['--http', '--host', '0.0.0.0', '--trust']).addresses()
    const here = url.replace('0.0.0.0', '127.0.0.1')
    const metadata = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', here))
    expect(await metadata.json()).toMatchObject({ resource, authorization_servers: [authority.issuer] })
    expect(await statusOf(here)).toBe(401)
    const token = await authority.token(resource)
    const client = await connected(new StreamableHTTPClientTransport(new URL(here), bearer(token)))
    expect(await titles(client)).toEqual([])
    await expect(
      client.callTool({ name: 'create_note', arguments: { title: 'without the scope' } }),
    ).rejects.toThrow(/403|scope/i)
  })

  test('beyond this machine with a token only', async () => {
    const served = serve(['--http', '--host', '0.0.0.0'], { PATCHBAY_TOKEN: 'secret' })
    const [url = ''] = await served.addresses()
    expect(url).toMatch(/^http:\/\/0\.0\.0\.0:\d+\/mcp$/)
    expect(await statusOf(url.replace('0.0.0.0', '127.0.0.1'))).toBe(401)
  })
})

describe('revisions', () => {
  test('only those that were named are spoken', async () => {
    const [url = ''] = await serve(['--http', '--revision', '2025-06-18,2025-03-26']).addresses()
    const transport = new StreamableHTTPClientTransport(new URL(url))
    await connected(transport)
    expect(transport.protocolVersion).toBe('2025-06-18')
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'server/discover',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'server/discover',
        params: {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    })
    expect(answer.status).toBe(400)
    expect(JSON.stringify(await answer.json())).toContain('2025-03-26')
  })
})

test('a file as standard input is answered on standard output', async () => {
  const inputFile = path.join(folder, 'requests.jsonl')
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'file', version: '1' },
  }
  await writeFile(inputFile, `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  const { code, stdout } = await runCli(['serve'], { cwd: folder, inputFile })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: 'notes' } } })
})

describe('the log', () => {
  test('logs every message at debug, and nothing of its content', async () => {
    const served = serve(['--http', '--log-level', 'debug'])
    const [url = ''] = await served.addresses()
    const client = await connected(transportOf(url))
    await client.callTool({ name: 'create_note', arguments: { title: 'a secret title' } })
    await served.tells(/debug: network.*: received tools\/call \d+, \d+ bytes\n/)
    await served.tells(/debug: network.*: sent the result of \d+, \d+ bytes\n/)
    expect(served.stderr).not.toContain('a secret title')
  })

  test('is silent over stdio, except for warnings and what a file sets', async () => {
    await writeFile(path.join(folder, 'patchbay.json'), '{"serve":{"prot":1}}')
    const told = await runCli(['serve', '--stdio', '--trust'], { cwd: folder })
    expect(told).toMatchObject({ code: 0, stdout: '' })
    expect(told.stderr).toMatch(
      /^patchbay: warning: \S+patchbay\.json: serve\.prot is not known .*\npatchbay: info: \S+ sets serve\.prot\n$/,
    )
    const quiet = await runCli(['serve', '--stdio', '--trust', '--log-level', 'error'], { cwd: folder })
    expect(quiet).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})

describe('patchbay.json', () => {
  test('has the options of the present folder if it is trusted, and flags win', async () => {
    await writeFile(
      path.join(folder, 'patchbay.json'),
      JSON.stringify({ serve: { ws: true, sse: true, token: 'from-the-file', revision: '2025-03-26' } }),
    )
    const urls = await serve(['--trust']).addresses(2)
    expect(urls.map((url) => new URL(url).pathname)).toEqual(['/sse', '/ws'])
    expect(await statusOf(urls[0] ?? '')).toBe(401)
    const [url = ''] = await serve([
      '--trust',
      '--http',
      '--token',
      'flag',
      '--revision',
      '2025-11-25',
    ]).addresses()
    expect(new URL(url).pathname).toBe('/mcp')
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: 'Bearer flag' } },
    })
    await connected(transport)
    expect(transport.protocolVersion).toBe('2025-11-25')
  })

  test('of another folder is read where that is named', async () => {
    await writeFile(path.join(folder, 'patchbay.json'), JSON.stringify({ serve: { ws: true } }))
    const served = new ServeProcess(['--workspace', folder], { cwd: os.tmpdir() })
    closing.push(() => served.end())
    expect(new URL((await served.addresses())[0] ?? '').pathname).toBe('/ws')
  })

  test.each([
    ['{"serve":', 'is not valid JSON: '],
    ['{"serve":{"port":"4040"}}', 'does not say what to serve:\n  serve.port: '],
    [
      '{"serve":{"authorization":{"resource":"ftp://a","authorizationServers":[]}}}',
      'patchbay.json: serve.authorization: resource must be https',
    ],
    ['{"serve":{"host":"0.0.0.0","token":"of-the-file"}}', 'the tokens of patchbay.json do not count here'],
    ['{"serve":{"host":"0.0.0.0"}}', 'the host 0.0.0.0 can be reached from other machines'],
  ])('%s is refused', async (text, words) => {
    await writeFile(path.join(folder, 'patchbay.json'), text)
    const { code, stdout, stderr } = await runCli(['serve', '--http', '--trust'], { cwd: folder })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(words)
  })
})

test.each([
  [['--stdio', '--port', '1'], '--port goes with --http, --sse, --ws or --all'],
  [['--sse', '--revision', '2026-07-28'], '--sse needs a revision that opens with a handshake'],
  [['--revision', 'newest'], `--revision expects one of ${SUPPORTED.join(', ')}, got "newest"`],
  [['--http', '--host', 'nonsense.invalid'], 'the host nonsense.invalid is not known'],
  [['--http', '--host', '0.0.0.0'], 'needs a token: set PATCHBAY_TOKEN'],
  [['--log-level', 'loud'], '--log-level expects one of debug, info, warning, error'],
  [['--htpp'], "Unknown option '--htpp'"],
  [['--workspace', '/no/such/folder'], '/no/such/folder/patchbay.json cannot be read: it does not exist'],
])('%j is refused before anything runs', async (words, message) => {
  const { code, stdout, stderr } = await runCli(['serve', ...words], { cwd: folder })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(message)
  expect(stderr).toContain('"patchbay serve --help" shows how it is used.')
})

test('seals what clients carry with a key that is made when it is needed, and is there after a restart', async () => {
  const file = path.join(folder, 'patchbay', 'serve.key')
  const meta = 'io.modelcontextprotocol/'
  const open = async () => {
    const served = serve(['--http'], { XDG_DATA_HOME: folder })
    const [url = ''] = await served.addresses()
    return fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'list_notes',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'list_notes',
          arguments: {},
          requestState: 'A'.repeat(64),
          _meta: {
            [`${meta}protocolVersion`]: '2026-07-28',
            [`${meta}clientInfo`]: { name: 'test', version: '1' },
            [`${meta}clientCapabilities`]: {},
          },
        },
      }),
    })
  }
  expect(await (await open()).json()).toMatchObject({ error: { code: -32602 } })
  const key = await readFile(file, 'utf8')
  expect(key).toHaveLength(45)
  expect(await (await open()).json()).toMatchObject({ error: { code: -32602 } })
  expect(await readFile(file, 'utf8')).toBe(key)
})
