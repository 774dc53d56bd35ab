import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { claimInstance } from '../host/instance/instance.ts'
import { productVersion } from '../host/version.ts'
import { ServerStore } from '../profile/server-store.ts'
import { profileFiles, workspaceFile } from '../profile/profile-files.ts'
import { PlainFileSecretStore, SealedFileSecretStore } from '../profile/secret-files.ts'
import { buildCli, patchbay, runCli, type Ended } from './cli-process.test-support.ts'

const notes = ['--', process.execPath, patchbay, 'serve', '--stdio']
let folder = ''
const clean: (() => unknown)[] = []

beforeAll(buildCli, 60_000)

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-cli-'))
})

afterEach(async () => {
  for (const step of clean.splice(0).reverse()) await step()
  await rm(folder, { recursive: true, force: true })
})

function run(words: readonly string[], input = ''): Promise<Ended> {
  return runCli(words, { cwd: folder, input })
}

async function script(name: string, source: string): Promise<string[]> {
  const file = path.join(folder, name)
  await writeFile(file, source)
  return ['--', process.execPath, file]
}

async function webServer(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  clean.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}

/** `patchbay serve --http` as a process; returns its address. */
async function notesOverHttp(env: Record<string, string> = {}): Promise<string> {
  const child = spawn(process.execPath, [patchbay, 'serve', '--http'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  })
  const exited = once(child, 'exit')
  clean.push(async () => {
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  })
  const [said] = (await once(child.stderr, 'data')) as [Buffer]
  const [, url = ''] = /listens at (\S+)/.exec(said.toString()) ?? []
  return url
}

/** The letters that `ps` has for a process; one that only waits to be reaped has a Z. */
function stateOf(pid: number): string {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' })
  return stdout.trim() === '' ? 'gone' : stdout.trim()
}

test('says which Node it needs to one that is too old', async () => {
  const older = path.join(folder, 'older.cjs')
  const versions = "{ ...process.versions, node: '20.19.0' }"
  await writeFile(older, `Object.defineProperty(process, 'versions', { value: ${versions} })`)
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', older, patchbay, 'help'])
  expect({ status, stdout: String(stdout) }).toEqual({ status: 1, stdout: '' })
  expect(String(stderr)).toMatch(/^patchbay: expected Node 22\.22 or newer, this is 20\.19\.0\..*\n$/)
})

test('lists a server over stdio', async () => {
  const { code, stdout, stderr } = await run(['list', ...notes])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const lists = JSON.parse(stdout) as Record<string, { name: string }[]>
  expect(Object.keys(lists)).toEqual(['tools', 'resources', 'resourceTemplates', 'prompts'])
  expect(lists['tools']?.map(({ name }) => name)).toContain('create_note')
  expect(lists['prompts']).toHaveLength(1)
})

test('calls a tool over HTTP, and the next call sees what it did', async () => {
  const url = await notesOverHttp()
  const created = await run(['call', 'create_note', '{"title":"first"}', '--url', url])
  expect(created.code).toBe(0)
  expect(JSON.parse(created.stdout)).toMatchObject({ structuredContent: { title: 'first' } })
  const found = await run(['call', 'search_notes', '-', '--json', '--url', url], '{"query":"first"}')
  expect(found.code).toBe(0)
  expect(found.stdout).toContain('"first"')
})

test('a token is asked for and sent as a header', async () => {
  const url = await notesOverHttp({ PATCHBAY_TOKEN: 'a-long-secret-token' })
  const refused = await run(['list', '--url', url])
  expect(refused.code).toBe(3)
  expect(refused.stderr).toContain('401')
  expect(refused.stderr).toContain("--header 'Authorization: Bearer …'")
  const admitted = await run(['list', '--url', url, '--header', 'Authorization: Bearer a-long-secret-token'])
  expect(admitted).toMatchObject({ code: 0, stderr: '' })
})

test('numbers that a double cannot hold go there and back whole', async () => {
  const echo = await script(
    'echo.mjs',
    `import readline from 'node:readline'
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const big = /"big":(\\d+)/.exec(line)?.[1]
  if (method === 'initialize') say(id, JSON.stringify({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'echo', version: '1' } }))
  else if (method === 'tools/call') say(id, '{"content":[],"structuredContent":{"big":' + big + '}}')
  else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }))
})
function say(id, result) { console.log('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":' + result + '}') }
`,
  )
  const { code, stdout } = await run(['call', 'echo', '{"big":12345678901234567890}', ...echo])
  expect(code).toBe(0)
  expect(stdout).toContain('"big": 12345678901234567890')
})

test('exit code 5: the tool, or the server, answers with an error', async () => {
  const invalid = await run(['call', 'create_note', '{"title":""}', ...notes])
  expect(invalid.code).toBe(5)
  const unknown = await run(['call', 'no_such_tool', ...notes])
  expect(unknown).toMatchObject({ code: 5, stdout: '' })
  expect(unknown.stderr).toMatch(/^patchbay: the server answered with error -32602: .*no_such_tool/)
  expect(unknown.stderr).toMatch(/Its tools: .*create_note.*\n$/)
  const near = await run(['call', 'creat-note', ...notes])
  expect(near).toMatchObject({ code: 5, stdout: '' })
  expect(near.stderr).toMatch(/\nIt has no tool "creat-note"\. Did you mean "create_note"\?\n$/)
})

test('a server that answers a wrong name with a result: the nearest name is suggested all the same', async () => {
  const everything = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/server-everything/dist/index.js',
  )
  const { code, stdout, stderr } = await run(['call', 'getsum', '--', process.execPath, everything, 'stdio'])
  expect(code).toBe(5)
  expect(JSON.parse(stdout)).toMatchObject({ isError: true })
  expect(stderr).toMatch(/returned an error\nIt has no tool "getsum"\. Did you mean "get-sum"\?\n$/)
})

test('exit code 2: the command line makes no sense', async () => {
  for (const words of [
    ['list'],
    ['call', 'create_note', 'no json', ...notes],
    ['call', 'create_note', '[1]', ...notes],
    ['serve', '--host', '0.0.0.0'],
  ]) {
    const { code, stdout, stderr } = await run(words)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^patchbay: .+\n"patchbay \w+ --help" shows how it is used\./)
  }
})

test('exit code 4: there is no such command', async () => {
  const { code, stdout, stderr } = await run(['list', '--', 'no-such-command-anywhere'])
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
  expect(stderr).toContain('no-such-command-anywhere')
})

test('exit code 4: a server that ends at once shows its last words, without their escapes', async () => {
  const failing = await script(
    'failing.mjs',
    `process.stderr.write('\\u001b[2Jno database\\u001b]0;title\\u0007\\n'); process.exit(3)`,
  )
  const { code, stderr } = await run(['list', ...failing])
  expect(code).toBe(4)
  expect(stderr).toContain('exit 3')
  expect(stderr).toContain('no database')
  expect(stderr).not.toContain('\u001b')
})

test('exit code 4: a server that never answers, within the time given', async () => {
  const silent = await script('silent.mjs', 'process.stdin.resume()')
  const { code, stderr } = await run(['list', '--timeout', '300', ...silent])
  expect(code).toBe(4)
  expect(stderr).toMatch(/did not answer|no answer|not answer/i)
})

test('exit code 4: an address that refuses, or is not an MCP server', async () => {
  const refused = await run(['list', '--url', 'http://127.0.0.1:9/mcp'])
  expect(refused.code).toBe(4)
  expect(refused.stderr).toMatch(/refused/i)

  const page = await webServer(
    createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<h1>Welcome</h1>')
    }),
  )
  const html = await run(['list', '--url', page])
  expect(html.code).toBe(4)
  expect(html.stderr).toMatch(/^Welcome$/m)
})

test('exit code 4: a redirect is not followed, and the remedy is a flag', async () => {
  const url = await webServer(
    createServer((_request, response) =>
      response.writeHead(307, { location: 'https://b.example/mcp' }).end(),
    ),
  )
  const { code, stderr } = await run(['list', '--url', url])
  expect(code).toBe(4)
  expect(stderr).toContain('It points to https://b.example/mcp. Give that address to --url if you trust it.')
})

test('a secret that a failing server repeats is not printed', async () => {
  const url = await webServer(
    createServer((request, response) =>
      response.writeHead(500).end(`You sent ${request.headers.authorization ?? 'nothing'}`),
    ),
  )
  const web = await run(['list', '--url', url, '--header', 'Authorization: Bearer token-of-mine'])
  expect(web.code).toBe(4)
  expect(web.stderr).toContain('You sent ⟨redacted⟩')
  const echo = await script('echo.mjs', 'console.error("key", process.env.API_KEY); process.exit(3)')
  const local = await run(['list', '--env', 'API_KEY=key-of-mine', ...echo])
  expect(local.stderr).toContain('key ⟨redacted⟩')
  expect(web.stderr + local.stderr).not.toContain('-of-mine')
})

test('a malformed entry is named and harms no other', async () => {
  const odd = await script(
    'odd.mjs',
    `import readline from 'node:readline'
const tools = [{ name: 'good', inputSchema: { type: 'object' } }, { title: 'no name' }]
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const say = (body) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }))
  if (method === 'initialize') say({ result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } } })
  else if (method === 'tools/list') say({ result: { tools } })
  else if (id !== undefined) say({ error: { code: -32601, message: 'Method not found' } })
})
`,
  )
  const { code, stdout, stderr } = await run(['list', ...odd])
  expect(code).toBe(5)
  expect((JSON.parse(stdout) as { tools: unknown[] }).tools).toEqual([
    { name: 'good', inputSchema: { type: 'object' } },
  ])
  expect(stderr).toContain('entry 1 of its tools is malformed')
})

test('--version says which version this is', async () => {
  expect(await run(['--version'])).toEqual({ code: 0, stdout: `${productVersion}\n`, stderr: '' })
})

test('a stored server is refused until it is approved, and needs no lock of the profile', async () => {
  const files = profileFiles(folder)
  const storedServers = new ServerStore({
    file: workspaceFile(files.defaultWorkspace),
    approvalsFile: files.approvals,
    secretStore: new PlainFileSecretStore(files.secrets, () => undefined),
    folder: files.defaultWorkspace,
    onSetAside: () => undefined,
  })
  const stored = ['--server', 'my notes', '--profile', folder]
  const [, command = '', ...args] = notes
  const id = await storedServers.add(
    { name: 'my notes', target: { transport: 'stdio', command, args, env: [] } },
    'user',
  )

  const other = await run(['list', '--server', 'other', '--profile', folder])
  expect(other.code).toBe(2)
  expect(other.stderr).toContain('"my notes"')
  expect(other.stderr).toContain('--profile DIR')
  const file = workspaceFile(files.defaultWorkspace)
  const twin = await storedServers.add(
    { name: 'twin', target: { transport: 'stdio', command, args, env: [] } },
    'user',
  )
  await writeFile(file, (await readFile(file, 'utf8')).replace('"twin"', '"my notes"'))
  const ambiguous = await run(['list', ...stored])
  expect(ambiguous).toMatchObject({ code: 2, stdout: '' })
  expect(ambiguous.stderr).toContain(id)
  await storedServers.remove(twin)
  const unapproved = await run(['list', ...stored])
  expect(unapproved).toMatchObject({ code: 4, stdout: '' })
  expect(unapproved.stderr).toContain('approve it')

  await storedServers.approve(id, (await storedServers.get(id)).hash)
  const instance = await claimInstance({
    profile: folder,
    describe: () => Promise.resolve({ mode: 'headless' }),
    onActivate: () => Promise.reject(new Error('the command line asked for the window')),
  })
  if (instance.state === 'first') clean.push(() => instance.close())
  expect(await run(['list', ...stored])).toMatchObject({ code: 0, stderr: '' })
})

test('a stored server is refused in plain words when its secrets are in the key chain', async () => {
  const files = profileFiles(folder)
  const cipher = {
    encrypt: (text: string) => Promise.resolve(Buffer.from(text)),
    decrypt: () => Promise.reject(new Error('locked')),
  }
  const storedServers = new ServerStore({
    file: workspaceFile(files.defaultWorkspace),
    approvalsFile: files.approvals,
    secretStore: new SealedFileSecretStore(files.sealedSecrets, files.secrets, cipher, () => undefined),
    folder: files.defaultWorkspace,
    onSetAside: () => undefined,
  })
  await storedServers.add(
    {
      name: 'far',
      target: { transport: 'http', url: 'http://127.0.0.1:9', headers: [] },
      bearerToken: 'token',
    },
    'user',
  )
  const { code, stderr } = await run(['list', '--server', 'far', '--profile', folder])
  expect(code).toBe(4)
  expect(stderr).toContain('its secrets are in the key chain, which the command line cannot open')
})

test('a damaged file of stored servers is reported and left unchanged', async () => {
  const workspace = profileFiles(folder).defaultWorkspace
  await mkdir(workspace, { recursive: true })
  await writeFile(workspaceFile(workspace), '{"version":1,"servers":[')
  const { code, stderr } = await run(['list', '--server', 'any', '--profile', folder])
  expect(code).toBe(4)
  expect(stderr).toContain('patchbay.json cannot be read: it is not JSON')
  expect(await readdir(workspace)).toEqual(['patchbay.json'])
})

test('serve speaks over standard input when that is a pipe, and ends with it', async () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  }
  const { code, stdout, stderr } = await run(['serve'], `${JSON.stringify(initialize)}\n`)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } })
})

/** The pid that a program writes into a file, once it is there as a whole. */
async function pidIn(file: string): Promise<number> {
  const read = () => readFile(file, 'utf8').catch(() => '')
  await expect.poll(read).toMatch(/^\d+$/)
  return Number(await read())
}

test('a signal during a call ends the server too', async () => {
  const pidFile = path.join(folder, 'pid')
  const silent = await script(
    'silent.mjs',
    `import { writeFileSync } from 'node:fs'
writeFileSync(${JSON.stringify(pidFile)}, String(process.pid))
process.on('SIGTERM', () => undefined)
process.stdin.resume()
setInterval(() => undefined, 60_000)`,
  )
  const child = spawn(process.execPath, [patchbay, 'list', ...silent], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  const pid = await pidIn(pidFile)
  child.kill('SIGTERM')
  const [code] = (await exited) as [number | null]
  expect(code).toBe(4)
  await expect.poll(() => stateOf(pid)).toMatch(/^(gone|Z)/)
})

test('a server that ignores every polite end does not outlive a command line that was killed', async () => {
  const pidFile = path.join(folder, 'pid')
  const stubborn = await script(
    'stubborn.mjs',
    `import { writeFileSync } from 'node:fs'
process.on('SIGTERM', () => undefined)
setInterval(() => undefined, 60_000)
process.stdin.once('data', () => writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)))`,
  )
  const child = spawn(process.execPath, [patchbay, 'list', ...stubborn], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  const pid = await pidIn(pidFile)
  child.kill('SIGKILL')
  await exited
  await expect.poll(() => stateOf(pid)).toMatch(/^(gone|Z)/)
})
