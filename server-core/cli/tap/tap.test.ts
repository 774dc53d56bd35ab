import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { Client as ClientV2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { alive } from '../../processes/testing/alive.test-support.ts'
import { processOf } from '../../processes/process-table.ts'
import { RecordingView } from '../../recordings/recording-view.ts'
import { buildCli, patchbay, runCli } from '../cli-process.test-support.ts'
import { readTap } from './tap-flags.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-tap-'))
  await buildCli()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const ECHO = 'process.stdin.pipe(process.stdout)'
const EVERYTHING = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
)

function words(name: string, ...rest: string[]): string[] {
  return [
    'tap',
    '--profile',
    path.join(folder, 'profile'),
    '--record',
    path.join(folder, `${name}.ndjson`),
    '--',
    ...rest,
  ]
}

function startTap(name: string, ...rest: string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [patchbay, ...words(name, ...rest)], { stdio: ['pipe', 'pipe', 'pipe'] })
}

/** Texts that parsers read differently, or not at all. */
function differential(count: number): Buffer[] {
  const forms: readonly (string | Buffer)[] = [
    '{"jsonrpc":"2.0","id":N,"method":"ping"}\n',
    '{"jsonrpc":"2.0","id":N,"method":"ping","id":2}\r\n',
    '  {"jsonrpc" : "2.0", "id":N.0, "method":"ping"} \t\n',
    '{"jsonrpc":"2.0","id":12345678901234567890N,"method":"ping"}\n',
    '{"a":"\\ud800","b":1e999,"c":-0,"d":N}\n',
    Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a]),
    '\uFEFF{"jsonrpc":"2.0","id":N}\n',
    '[{"jsonrpc":"2.0","id":N}]\n\n\n',
    '{"half":N\n',
    '{"a":1}{"b":N}\n',
    'no JSON N\u2028\r\n',
    '\r\n',
    '{"a":"\u0000","__proto__":N}\n',
  ]
  return Array.from({ length: count }, (_, number) => {
    const form = forms[number % forms.length] ?? ''
    return typeof form === 'string' ? Buffer.from(form.replaceAll('N', String(number))) : form
  })
}

it('forwards 500 messages that parsers read differently and a line of 10 MB, byte for byte in both directions', async () => {
  const pieces = [
    ...differential(500),
    Buffer.from(`{"big":"${'x'.repeat(10_000_000)}"}\n`),
    Buffer.from('{"no":"end"}'),
  ]
  const whole = Buffer.concat(pieces)
  const tap = startTap('bytes', process.execPath, '-e', ECHO)
  const received = buffer(tap.stdout)
  const errors = text(tap.stderr)
  // Pieces of 61 bytes end within messages, and merge others.
  for (let at = 0; at < 40_000; at += 61) tap.stdin.write(whole.subarray(at, Math.min(at + 61, 40_000)))
  tap.stdin.end(whole.subarray(40_000))
  const [code] = await once(tap, 'exit')
  expect(Buffer.compare(await received, whole)).toBe(0)
  expect(code).toBe(0)
  expect(await errors).toBe('')
  const recorded = await RecordingView.open(path.join(folder, 'bytes.ndjson'))
  expect(recorded.problems).toEqual([])
  const sent = whole
    .toString('latin1')
    .split('\n')
    .map((line) => line.replace(/\r$/, ''))
    .filter((line) => line !== '')
  expect(recorded.frames).toBe(2 * sent.length + 2)
})

it('ends as the server ends, and passes stderr and signals on', async () => {
  const exits = startTap('exits', process.execPath, '-e', 'console.error("no licence"); process.exit(41)')
  const errors = text(exits.stderr)
  expect(await once(exits, 'exit')).toEqual([41, null])
  expect(await errors).toBe('no licence\n')

  const dies = startTap('dies', process.execPath, '-e', 'process.kill(process.pid, "SIGKILL")')
  expect(await once(dies, 'exit')).toEqual([null, 'SIGKILL'])

  const script =
    'process.on("SIGTERM", () => process.exit(7)); console.log("up"); setInterval(() => {}, 1000)'
  const signalled = startTap('signalled', process.execPath, '-e', script)
  await once(signalled.stdout, 'data')
  signalled.kill('SIGTERM')
  expect(await once(signalled, 'exit')).toEqual([7, null])

  const missing = startTap('missing', 'no-such-program-here')
  const why = text(missing.stderr)
  expect(await once(missing, 'exit')).toEqual([127, null])
  expect(await why).toContain('the command "no-such-program-here" was not found')
})

it('lets a client see that the server closed its output while it lives', async () => {
  const script = 'console.log("last"); require("node:fs").closeSync(1); process.stdin.resume()'
  const tap = startTap('closes', process.execPath, '-e', script)
  expect(await text(tap.stdout)).toBe('last\n')
  expect(tap.exitCode).toBeNull()
  tap.stdin.end()
  expect(await once(tap, 'exit')).toEqual([0, null])
})

it('leaves the stderr that a client shares with it open', async () => {
  const tap = [patchbay, ...words('shared', process.execPath, '-e', 'console.error("from the server")')]
  const script = `require("node:child_process")
    .spawn(process.execPath, ${JSON.stringify(tap)}, { stdio: ["ignore", "ignore", "inherit"] })
    .once("exit", () => console.error("from the client"))`
  const client = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'pipe'] })
  expect(await text(client.stderr)).toBe('from the server\nfrom the client\n')
})

it('leaves no process behind when it is killed, nor when its client is', async () => {
  const script = `const { spawn } = require("node:child_process")
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" })
    process.on("SIGTERM", () => {}); process.stdin.resume(); setInterval(() => {}, 1000)
    console.log(process.pid + " " + child.pid)`
  const killed = startTap('killed', process.execPath, '-e', script)
  const [pids] = (await once(killed.stdout, 'data')) as [Buffer]
  const tree = pids.toString().trim().split(' ').map(Number)
  expect(await alive(tree)).toEqual(tree)
  killed.kill('SIGKILL')
  await expect.poll(() => alive(tree), { interval: 100, timeout: 10_000 }).toEqual([])

  // What a client that is killed leaves: closed pipes.
  const left = startTap('left', process.execPath, '-e', `${ECHO}; console.log(process.pid)`)
  const [pid] = (await once(left.stdout, 'data')) as [Buffer]
  left.stdin.destroy()
  left.stdout.destroy()
  left.stderr.destroy()
  await once(left, 'exit')
  expect(await processOf(Number(pid.toString()))).toBeUndefined()
})

it('records in the profile, where "recordings list" shows it, and masks secrets of the environment', async () => {
  const profile = path.join(folder, 'profile')
  const server = ['-e', `${ECHO}; console.error(process.env.NOTES_API_KEY)`]
  const line = '{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
  const ended = await runCli(
    ['tap', '--profile', profile, '--client', 'Cursor', '--name', 'notes', '--', process.execPath, ...server],
    { cwd: folder, input: line, env: { NOTES_API_KEY: 'sk-very-secret-1' } },
  )
  expect(ended).toMatchObject({ code: 0, stdout: line, stderr: 'sk-very-secret-1\n' })
  const { stdout } = await runCli(['recordings', 'list', '--json', '--profile', profile], { cwd: folder })
  const [listed] = JSON.parse(stdout) as { id: string; serverName: string; isOpen: boolean }[]
  expect(listed).toMatchObject({ serverName: 'Cursor to notes', isOpen: false })
  const file = path.join(profile, 'recordings', listed?.id ?? '', '000001.ndjson')
  const written = await readFile(file, 'utf8')
  expect(written).toContain('"method":"notifications/initialized"')
  expect(written).not.toContain('sk-very-secret-1')
  const checked = await runCli(['recordings', 'verify', listed?.id ?? '', '--profile', profile], {
    cwd: folder,
  })
  expect(checked.code).toBe(0)
})

it('forwards between the official clients and server-everything', async () => {
  const args = (name: string) => [patchbay, ...words(name, process.execPath, EVERYTHING, 'stdio')]
  const v1 = new ClientV1({ name: 'v1', version: '1' })
  await v1.connect(new StdioV1({ command: process.execPath, args: args('v1'), stderr: 'ignore' }))
  const echoed = await v1.callTool({ name: 'echo', arguments: { message: 'through the tap' } })
  expect(JSON.stringify(echoed.content)).toContain('through the tap')
  const names = (await v1.listTools()).tools.map(({ name }) => name)
  await v1.close()

  const v2 = new ClientV2({ name: 'v2', version: '1' })
  await v2.connect(new StdioV2({ command: process.execPath, args: args('v2'), stderr: 'ignore' }))
  expect((await v2.listTools()).tools.map(({ name }) => name)).toEqual(names)
  await v2.close()

  const read = await RecordingView.open(path.join(folder, 'v1.ndjson'))
  expect(read.problems).toEqual([])
  expect(await readFile(path.join(folder, 'v1.ndjson'), 'utf8')).toContain('"end":{"frames":')
})

it('applies rules between an official client and server-everything, and passes other bytes as they are', async () => {
  const file = path.join(folder, 'rules.json')
  const rules = [
    {
      id: 'mine',
      match: { method: 'tools/call', target: 'echo', times: 1 },
      action: { type: 'answer', result: { content: [{ type: 'text', text: 'from the rule' }] } },
    },
    {
      id: 'upper',
      match: { direction: 'to-server', target: 'echo' },
      action: {
        type: 'rewrite',
        patch: [{ op: 'replace', path: '/params/arguments/message', value: 'rewritten' }],
      },
    },
  ]
  await writeFile(file, JSON.stringify({ rules, conditions: { toClient: { latencyMs: 30 } } }))
  const [tap, ...rest] = words('rules', process.execPath, EVERYTHING, 'stdio')
  const client = new ClientV1({ name: 'v1', version: '1' })
  const args = [patchbay, tap ?? '', '--rules', file, ...rest]
  await client.connect(new StdioV1({ command: process.execPath, args, stderr: 'ignore' }))
  const call = async (): Promise<string> =>
    JSON.stringify((await client.callTool({ name: 'echo', arguments: { message: 'as typed' } })).content)
  expect(await call()).toContain('from the rule')
  const began = performance.now()
  expect(await call()).toContain('rewritten')
  expect(performance.now() - began).toBeGreaterThanOrEqual(29)
  await client.close()
  const written = await readFile(path.join(folder, 'rules.ndjson'), 'utf8')
  expect(written).toContain('rule mine: answered')
  expect(written).toContain('rule upper: rewritten; it came as')

  await writeFile(
    file,
    JSON.stringify({ rules: [{ id: 'never', match: { method: 'never' }, action: { type: 'drop' } }] }),
  )
  const whole = Buffer.concat(differential(200))
  const passing = spawn(process.execPath, [
    patchbay,
    'tap',
    '--no-record',
    '--rules',
    file,
    '--',
    process.execPath,
    '-e',
    ECHO,
  ])
  const received = buffer(passing.stdout)
  for (let at = 0; at < whole.length; at += 97) passing.stdin.write(whole.subarray(at, at + 97))
  passing.stdin.end()
  expect(Buffer.compare(await received, whole)).toBe(0)

  await writeFile(file, '{"rules":[{"id":"x","action":{"type":"explode"}}]}')
  const refused = await runCli(['tap', '--rules', file, '--', process.execPath, '-e', ECHO], { cwd: folder })
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('rules[0].action') as string })
})

it('wraps an entry of a client, which then starts a tap, and unwraps it', async () => {
  const home = path.join(folder, 'home')
  const file = path.join(home, '.cursor', 'mcp.json')
  await mkdir(path.dirname(file), { recursive: true })
  const before = JSON.stringify(
    { mcpServers: { notes: { command: process.execPath, args: ['-e', ECHO] } } },
    undefined,
    1,
  )
  await writeFile(file, before)
  const surroundings = { cwd: folder, env: { HOME: home, USERPROFILE: home } }
  const shared = ['--file', file, '--profile', path.join(folder, 'profile')]
  const wrapped = await runCli(['tap', 'wrap', 'cursor', 'notes', ...shared], surroundings)
  expect(wrapped).toMatchObject({ code: 0 })
  const { mcpServers } = JSON.parse(await readFile(file, 'utf8')) as {
    mcpServers: { notes: { command: string; args: string[] } }
  }
  const { command, args } = mcpServers.notes
  const started = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  started.stdin.end('{"jsonrpc":"2.0","method":"x"}\n')
  expect(await text(started.stdout)).toBe('{"jsonrpc":"2.0","method":"x"}\n')
  const states = await runCli(['tap', 'status', 'cursor', ...shared], surroundings)
  expect(JSON.parse(states.stdout)).toMatchObject([{ entries: [{ name: 'notes', state: 'wrapped' }] }])
  const edited = (await readFile(file, 'utf8')).replace('"--name"', '"--title"')
  await writeFile(file, edited)
  const refused = await runCli(['tap', 'unwrap', 'cursor', 'notes', ...shared], surroundings)
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('--title') as string })
  await writeFile(file, edited.replace('"--title"', '"--name"'))
  expect(await runCli(['tap', 'unwrap', 'cursor', 'notes', ...shared], surroundings)).toMatchObject({
    code: 0,
  })
  expect(await readFile(file, 'utf8')).toBe(before)
})

it('says what is wrong with a command line', () => {
  expect(() => readTap(['wrap', 'cursr', 'x'])).toThrow('did you mean cursor?')
  expect(() => readTap(['unwrap', 'cursor'])).toThrow('tap unwrap expects the name of a server')
  expect(() => readTap(['status', '--file', 'x'])).toThrow('--file goes with one client')
  expect(() => readTap([])).toThrow('tap expects the command of a server after --')
  expect(() => readTap(['--'])).toThrow('there is no command after --')
  expect(() => readTap(['node', '--', 'x'])).toThrow('tap does not take "node"')
  expect(() => readTap(['--recrod', 'x', '--', 'y'])).toThrow('did you mean --record?')
  expect(() => readTap(['--record', 'x', '--no-record', '--', 'y'])).toThrow('exclude each other')
  expect(readTap(['--record=x', '--', 'npx', '-y', '@acme/notes'])).toMatchObject({
    options: {
      command: 'npx',
      args: ['-y', '@acme/notes'],
      recording: { name: 'notes', place: { file: 'x' } },
    },
  })
})

/** A server with two tools, of which the second has the name and the answer that is given. */
function serverScript(second: string): string {
  return `
    const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n")
    const tool = (name) => ({ name, inputSchema: { type: "object" } })
    let introduced = false
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params } = JSON.parse(line)
      if (method === "initialize") send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: { listChanged: true }, logging: {} }, serverInfo: { name: "${second}", version: "1" } } })
      else if (method === "notifications/initialized") introduced = true
      else if (method === "tools/list") send({ id, result: { tools: [tool("same"), tool("${second}")] } })
      else if (method === "tools/call" && params.name !== "hang") send({ id, result: { content: [{ type: "text", text: "${second} " + introduced }] } })
      else if (id !== undefined && method !== "tools/call") send({ id, result: {} })
    })`
}

it('replaces the server of a running tap: the client stays connected, gets list_changed, and open calls fail', async () => {
  const profile = path.join(folder, 'swapping')
  const flags = ['--profile', profile, '--client', 'Cursor', '--name', 'swapped', '--record']
  const args = [
    patchbay,
    'tap',
    ...flags,
    path.join(folder, 'swap.ndjson'),
    '--',
    process.execPath,
    '-e',
    serverScript('first'),
  ]
  const client = new ClientV1({ name: 'v1', version: '1' })
  const changed = Promise.withResolvers<void>()
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => changed.resolve())
  await mkdir(profile, { recursive: true })
  await client.connect(new StdioV1({ command: process.execPath, args, stderr: 'ignore' }))
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['same', 'first'])
  const hanging = client.callTool({ name: 'hang' }).catch((error: unknown) => String(error))

  const surroundings = { cwd: folder, env: {} }
  const swap = (...rest: string[]) =>
    runCli(['tap', 'swap', 'swapped', '--profile', profile, '--json', ...rest], surroundings)
  const broken = await swap('--', process.execPath, '-e', 'console.error("no licence"); process.exit(3)')
  expect(broken.code).toBe(4)
  expect(broken.stderr).toContain('no licence')
  const missing = await swap('--', 'no-such-program-here')
  expect(missing.stderr).toContain('"no-such-program-here" was not found')
  expect((await client.listTools()).tools[1]?.name).toBe('first')

  const done = await swap('--open', 'error', '--', process.execPath, '-e', serverScript('second'))
  expect(done).toMatchObject({ code: 0 })
  expect(JSON.parse(done.stdout)).toMatchObject({
    serverInfo: 'second 1',
    failed: 1,
    changes: ['tools: 1 added (second), 1 removed (first)'],
  })
  await changed.promise
  expect(await hanging).toContain('The server was replaced by')
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['same', 'second'])
  // The new server was introduced to the client before its first call.
  expect(JSON.stringify(await client.callTool({ name: 'second' }))).toContain('second true')

  // The same command again; the call that is open is sent to it.
  const again = client.callTool({ name: 'hang' }).catch((error: unknown) => String(error))
  expect(JSON.parse((await swap('--open', 'again')).stdout)).toMatchObject({ failed: 0, changes: [] })
  expect(JSON.stringify(await client.callTool({ name: 'same' }))).toContain('second true')
  const unknown = await runCli(['tap', 'swap', 'nothing', '--profile', profile], surroundings)
  expect(unknown.stderr).toContain('no tap is called "nothing"; these run:')
  await client.close()
  await again
  const written = await readFile(path.join(folder, 'swap.ndjson'), 'utf8')
  expect(written.match(/"event":"opened"/g)).toHaveLength(3)
  expect(written).toContain('"end":{"frames":')
})
