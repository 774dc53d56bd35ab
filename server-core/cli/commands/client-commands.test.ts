import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { terminalAuthorization } from '../../host/authorization/terminal-authorization.ts'
import { ResponderStore } from '../../host/responders/responder-store.ts'
import { TestAuthority } from '../../oauth/testing/test-authority.test-support.ts'
import { TestResource } from '../../oauth/testing/test-resource.test-support.ts'
import { send, visit } from '../../oauth/testing/visitor.test-support.ts'
import { KEY, openaiAnswer, startModelApi } from '../../responders/models/model-api.test-support.ts'
import { profileFiles } from '../../profile/profile-files.ts'
import { PlainFileSecretStore } from '../../profile/secret-files.ts'
import { buildCli, patchbay, runCli, ServeProcess, type Ended } from '../cli-process.test-support.ts'

const everything = [
  '--',
  process.execPath,
  createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js'),
  'stdio',
]
// Most tests start several processes, one after the other.
vi.setConfig({ testTimeout: 60_000 })

let folder = ''
let notes: ServeProcess
/** The notes server over each of its transports. */
let urls: { readonly http: string; readonly sse: string; readonly ws: string }
const clean: (() => unknown)[] = []

beforeAll(async () => {
  await buildCli()
  notes = new ServeProcess(['--http', '--sse', '--ws'], { cwd: os.tmpdir() })
  const [http = '', sse = '', ws = ''] = await notes.addresses(3)
  urls = { http, sse, ws }
}, 60_000)

afterAll(() => notes.end())

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-commands-'))
})

afterEach(async () => {
  for (const step of clean.splice(0).reverse()) await step()
  await rm(folder, { recursive: true, force: true })
})

function run(words: readonly string[], input = ''): Promise<Ended> {
  return runCli(words, { cwd: folder, input })
}

/** Over HTTP: what it prints, as JSON. */
async function ask(words: readonly string[], input = ''): Promise<unknown> {
  const { code, stdout, stderr } = await run([...words, '--url', urls.http, '--profile', folder], input)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as unknown
}

test('each command does its one thing and prints it as JSON', async () => {
  const words = ['call', 'create_note', '{"title":"from JSON"}', '--arg', 'title=12', '--arg', 'tags=["a"]']
  const created = await ask(words)
  expect(created).toMatchObject({ structuredContent: { title: '12', tags: ['a'] } })
  const { structuredContent } = created as { structuredContent: { id: string } }
  expect(await ask(['read', `notes://${structuredContent.id}`])).toMatchObject({
    contents: [{ text: expect.stringContaining('12') as unknown }],
  })
  expect(await ask(['get', 'summarise_notes', '{"style":"brief"}', '--arg', 'tag=a'])).toMatchObject({
    messages: [{ role: 'user' }, {}],
  })
  expect(await ask(['complete', 'summarise_notes', 'style', 'b'])).toMatchObject({
    values: ['brief', 'bullets'],
    hasMore: false,
  })
  expect(await ask(['list', 'prompts', '--page'])).toMatchObject({ prompts: [{ name: 'summarise_notes' }] })
  const ping = '{"jsonrpc":"2.0","id":"mine","method":"ping"}\n'
  expect(await ask(['raw', '-', '--revision', '2025-11-25'], ping)).toEqual({
    http: { status: 200, headers: expect.any(Object) as unknown },
    received: [{ jsonrpc: '2.0', id: 'mine', result: {} }],
    unanswered: [],
  })
})

test('a transport and a revision may be chosen, and discover says how they were found', async () => {
  const over = async (words: readonly string[]) => {
    const { code, stdout } = await run([...words, '--profile', folder])
    expect(code).toBe(0)
    return JSON.parse(stdout) as unknown
  }
  expect(await over(['discover', '--url', urls.http])).toMatchObject({
    transport: 'http',
    revision: '2026-07-28',
    steps: [{ step: 'server/discover (2026-07-28)', verdict: 'agreed' }],
    serverInfo: { name: 'notes' },
    capabilities: { tools: {} },
    instructions: expect.stringContaining('Notes') as unknown,
    declared: { capabilities: { elicitation: {}, sampling: {}, roots: {} } },
  })
  expect(await over(['discover', '--url', urls.http, '--revision', '2025-03-26'])).toMatchObject({
    revision: '2025-03-26',
  })
  expect(await over(['ping', '--count', '2', '--url', urls.sse, '--transport', 'sse'])).toEqual({
    transport: 'sse',
    revision: '2025-11-25',
    connectMs: expect.any(Number) as unknown,
    pingMs: [expect.any(Number), expect.any(Number)],
  })
  expect(await over(['ping', '--url', urls.ws])).toMatchObject({ transport: 'websocket' })
})

test('subscribe prints a line for each change, until there are enough or it is ended', async () => {
  const words = ['subscribe', 'notes://index', '--url', urls.http, '--profile', folder]
  const start = (more: readonly string[]) => {
    const child = spawn(process.execPath, [patchbay, ...words, ...more], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const stdout = readAll(child.stdout)
    return { child, stdout, exited: once(child, 'exit') as Promise<[number | null]> }
  }
  const [counted, endless] = [start(['--count', '1']), start([])]
  for (const { child } of [counted, endless])
    expect(String((await once(child.stderr, 'data'))[0])).toBe('subscribed to notes://index\n')
  const seen = once(endless.child.stdout, 'data')
  await ask(['call', 'create_note', '{"title":"seen"}'])
  expect((await counted.exited)[0]).toBe(0)
  expect(JSON.parse(await counted.stdout)).toEqual({
    at: expect.any(String) as unknown,
    uri: 'notes://index',
  })
  await seen
  endless.child.kill('SIGINT')
  expect((await endless.exited)[0]).toBe(0)
})

test('a server over stdio: progress and log messages are printed, and a task is followed to its end', async () => {
  const words = ['call', 'simulate-research-query', '{"topic":"tea"}', '--task', ...everything]
  const { code, stdout, stderr } = await run(words)
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Research Report: tea') })
  expect(stderr).toMatch(/^task \S+: working$/m)
  expect(stderr).toMatch(/^task: completed/m)
})

test('Ctrl+C cancels a call at the server', async () => {
  const heard = path.join(folder, 'heard')
  const file = path.join(folder, 'slow.mjs')
  await writeFile(
    file,
    `import readline from 'node:readline'
import { appendFileSync } from 'node:fs'
const say = (body) => console.log(JSON.stringify({ jsonrpc: '2.0', ...body }))
// It ends with its stdin, when it has read what is there, however late that is.
process.on('SIGTERM', () => undefined)
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'notifications/cancelled') appendFileSync(${JSON.stringify(heard)}, method)
  if (method === 'initialize') say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {}, logging: {} }, serverInfo: { name: 'slow', version: '1' } } })
  else if (method === 'tools/call') {
    say({ method: 'notifications/message', params: { level: 'info', logger: 'oven', data: 'cold' } })
    say({ method: 'notifications/message', params: { level: 'warning', logger: 'oven', data: 'warm\\u001b[2J' } })
    say({ method: 'notifications/progress', params: { progressToken: params._meta.progressToken, progress: 1, total: 3, message: 'stirring' } })
  } else if (id !== undefined) say({ id, error: { code: -32601, message: 'Method not found' } })
})
`,
  )
  const child = spawn(process.execPath, [patchbay, 'call', 'cook', '--', process.execPath, file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  const exited = once(child, 'exit') as Promise<[number | null]>
  for await (const bytes of child.stderr as AsyncIterable<Buffer>) {
    const wasHeard = stderr.includes('stirring')
    stderr += bytes.toString()
    if (!wasHeard && stderr.includes('stirring')) child.kill('SIGINT')
  }
  expect((await exited)[0]).toBe(4)
  // What is less than a warning is shown where --log-level asks for it.
  expect(stderr).not.toContain('cold')
  expect(stderr).toContain('[warning] oven: warm\nprogress: 1 of 3 stirring\n')
  expect(await readFile(heard, 'utf8')).toBe('notifications/cancelled')
})

describe('what the server asks', () => {
  test('goes by rules of the command line, and is declined where nobody is', async () => {
    const declined = await run(['call', 'trigger-elicitation-request', ...everything])
    expect(declined).toMatchObject({ code: 0, stdout: expect.stringContaining('declined') as unknown })
    expect(declined.stderr).toContain('nobody is at a terminal to answer, so it was declined')
    const content = { name: 'Ida', check: true }
    await writeFile(path.join(folder, 'answer.json'), JSON.stringify({ action: 'accept', content }))
    const words = ['--responder', 'elicitation=fixed:@answer.json', ...everything]
    const fixed = await runCli(['call', 'trigger-elicitation-request', ...words], {
      cwd: folder,
      env: { PWD: folder },
    })
    expect(fixed).toMatchObject({ code: 0, stdout: expect.stringContaining('Name: Ida') as unknown })
    const roots = await run(['call', 'get-roots-list', '--responder', `roots=${folder}`, ...everything])
    expect(roots.stdout).toContain(path.basename(folder))
  })

  test('goes to scripts, and to the model endpoints of the profile', async () => {
    const script = path.join(folder, 'answer.mjs')
    await writeFile(
      script,
      `export default ({ params }) => ({ role: 'assistant', model: 'script', content: { type: 'text', text: 'script heard ' + params.messages.length } })`,
    )
    const call = ['call', 'trigger-sampling-request', '--arg', 'prompt=hi', '--profile', folder]
    const scripted = await run([...call, '--responder', `sampling=script:${script}`, ...everything])
    expect(scripted.stdout).toContain('script heard 1')

    const api = await startModelApi(() => openaiAnswer({ role: 'assistant', content: 'a model said this' }))
    clean.push(() => api.close())
    const files = profileFiles(folder)
    const secretStore = new PlainFileSecretStore(files.secrets, 'leave')
    const storedServers = new ResponderStore({ file: files.responders, secretStore, onSetAside: 'leave' })
    const endpoint = api.endpoint('openai')
    await storedServers.saveEndpoint(endpoint, KEY)
    const asked = await run([...call, '--responder', `sampling=model:${endpoint.name}`, ...everything])
    expect(asked.stdout).toContain('a model said this')
    const none = await run([...call, '--responder', 'sampling=model:other', ...everything])
    expect(none.stderr).toContain(`There is no model endpoint "other". There are "${endpoint.name}".`)
  })
})

test('exit code 3: the server requires authorization, and the remedy is printed; an earlier token is used', async () => {
  const authority = await TestAuthority.start()
  const resource = await TestResource.start([authority])
  clean.push(
    () => authority.close(),
    () => resource.close(),
  )
  const words = ['list', '--url', resource.url, '--profile', folder]
  const refused = await run(words)
  expect(refused).toMatchObject({ code: 3, stdout: '' })
  expect(refused.stderr).toContain('asks for authorization')
  expect(refused.stderr).toContain('--authorize')

  const made = await terminalAuthorization({
    url: resource.url,
    owner: 'command-line',
    secretStore: new PlainFileSecretStore(profileFiles(folder).secrets, 'leave'),
    mayAskUser: true,
    openUrl: async (href) => {
      await visit(href)
    },
    log: () => undefined,
  })
  clean.push(() => made.close())
  expect(await send(made, resource.url)).toBe(200)
  resource.requests.length = 0
  // It takes the token, and speaks no MCP.
  expect(await run(words)).toMatchObject({ code: 4 })
  expect(resource.requests[0]?.headers.authorization).toMatch(/^Bearer ./)
})

describe('the way it ends', () => {
  test.each([
    ['a wrong word', 2, () => ['ping', 'now', '--url', urls.http], 'ping takes no "now"'],
    ['a wrong argument', 2, () => ['call', 'create_note', '--arg', 'titel=a', '--url', urls.http], 'titel'],
    ['nobody there', 4, () => ['ping', '--url', 'http://127.0.0.1:9/mcp'], 'refuses connections'],
    ['no answer', 4, () => ['raw', '--wait', '50', UNANSWERED, '--bare', ...SILENT], 'no answer came to 1'],
    ['a steps report', 4, () => ['discover', '--timeout', '200', ...SILENT], 'What was tried:'],
    ['an error', 5, () => ['read', 'notes://indx', '--url', urls.http], 'Did you mean "notes://index"'],
    ['no prompt', 5, () => ['get', 'sumarise-notes', '--url', urls.http], 'Did you mean "summarise_notes"?'],
    [
      'a declined request',
      6,
      () => DECLINED,
      'The call could not finish: the server sent sampling/createMessage',
    ],
    ['a raw error', 5, () => ['raw', '{"jsonrpc":"2.0","id":1,"method":"x"}', '--url', urls.ws], ''],
    ['no such template', 5, () => ['complete', 'notes://{x}', 'x', '--url', urls.http], ''],
  ])('%s: exit code %i', async (_what, code, words, told) => {
    const [name = '', ...rest] = words()
    const ended = await run([name, '--profile', folder, ...rest])
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({
      code,
      stderr: expect.stringContaining(told),
    })
  })
})

const UNANSWERED = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
const SILENT = ['--', process.execPath, '-e', 'process.stdin.resume()']
const DECLINED = [
  ...['call', 'summarise', '--arg', 'text=tea', '--responder', 'sampling=decline', '--'],
  ...[process.execPath, path.resolve(import.meta.dirname, '../../../docs/examples/questions.ts')],
]
