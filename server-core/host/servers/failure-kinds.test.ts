import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServerAddress } from '../../transports/opener.ts'
import type { Failure } from '../contract/servers.ts'
import { elf, Failing, failureAt } from './failure-kinds.test-support.ts'

let failing: Failing
beforeAll(async () => {
  failing = new Failing(await mkdtemp(path.join(tmpdir(), 'patchbay-kinds-')))
})
afterAll(async () => {
  failing.close()
  await rm(failing.folder, { recursive: true, force: true })
})

/** A kind of failure, and what a user sees of it. */
type Kind = {
  readonly name: string
  readonly at: () => Promise<ServerAddress> | ServerAddress
  readonly code: string
  readonly title: RegExp
  readonly explanation?: RegExp
  readonly evidence?: Partial<Failure>
}

const stdio = (command: string, args: readonly string[] = [], cwd?: string): ServerAddress => ({
  transport: 'stdio',
  command,
  args,
  env: {},
  graceMs: 200,
  ...(cwd === undefined ? {} : { cwd }),
})
const node = (script: string): ServerAddress => stdio(process.execPath, ['-e', script])
const STAY = 'setInterval(() => undefined, 1000)'
/** Answers every request with what `answer` is, an expression over `id` and `method`. */
const answering = (answer: string): ServerAddress =>
  node(`require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(${answer}) }))
  })`)

/** What ELF calls processors. */
const X64 = 62
const ARM64 = 183
const OWN_MACHINE = process.arch === 'arm64' ? ARM64 : X64

/** Milliseconds in which a process says what it says before it is silent. */
const SILENT_MS = 3_000
/** Milliseconds in which anything that answers has answered. */
const PATIENT_MS = 30_000

const LEGACY_ONLY = `{ error: { code: -32601, message: 'Method not found' } }`

const PROCESSES: readonly Kind[] = [
  {
    name: 'a path that is not there',
    at: () => stdio(path.join(failing.folder, 'gone')),
    code: 'spawn-failed',
    title: /gone was not found$/,
    explanation: /is not there \(ENOENT\); check the path/,
  },
  {
    name: 'a folder instead of a program',
    at: () => stdio(failing.folder),
    code: 'spawn-failed',
    title: /may not be executed$/,
    explanation: /is a folder, not a program/,
  },
  {
    name: 'a file as the folder to start in',
    at: async () => stdio('node', [], await failing.file('file', '')),
    code: 'spawn-failed',
    title: /file is not a folder$/,
    explanation: /is to start there, so nothing was started/,
  },
  {
    name: 'a script whose interpreter is missing',
    at: async () => stdio(await failing.file('script', '#!/no/such/interpreter\n')),
    code: 'spawn-failed',
    title: /^What runs .*script was not found: \/no\/such\/interpreter$/,
    explanation: /names an interpreter that is not there/,
  },
  {
    name: 'a script whose interpreter is not in PATH',
    at: async () => stdio(await failing.file('by-env', '#!/usr/bin/env no-such-interpreter\n')),
    code: 'process-exited',
    title: /^exit 127/,
    explanation: /was not found: an interpreter or another command, in its PATH/,
    evidence: { stderr: expect.stringContaining('no-such-interpreter') as string },
  },
  {
    name: 'a program for another processor',
    at: async () => stdio(await failing.file('foreign', elf(process.arch === 'arm64' ? X64 : ARM64))),
    code: expect.stringMatching(/spawn-failed|process-exited/) as string,
    title: /foreign was made for another machine \(Linux on (arm64|x64)\)$/,
    explanation: /[Ii]nstall the (one|program) for this machine/,
  },
  {
    name: 'a program whose loader is not there',
    at: async () => stdio(await failing.file('unloadable', elf(OWN_MACHINE, '/no/such/loader.so'))),
    code: 'spawn-failed',
    title: /^What runs .*unloadable was not found: its loader$/,
    explanation: /install the one for this system/,
  },
  {
    name: 'a module that is not there',
    at: () => stdio(process.execPath, ['./no-such.js'], failing.folder),
    code: 'process-exited',
    title: /^exit 1 · /,
    explanation: /where relative paths such as \.\/no-such\.js start/,
    evidence: { stderr: expect.stringContaining('Cannot find module') as string },
  },
  {
    name: 'an exception at the start, behind a flood',
    at: () => node(`process.stderr.write('x'.repeat(100_000)); throw new Error('boom')`),
    code: 'process-exited',
    title: /^exit 1 · /,
    explanation: /end of its stderr/,
    evidence: { stderr: expect.stringMatching(/^x{1000}[^]{10000,32000}boom/) as string },
  },
  {
    name: 'an end by SIGTERM',
    at: () => node(`process.kill(process.pid, 'SIGTERM')`),
    code: 'process-exited',
    title: /ended by SIGTERM/,
    explanation: /Somebody asked it to end/,
    evidence: { signal: 'SIGTERM' },
  },
  {
    name: 'a crash',
    at: () => node('process.abort()'),
    code: 'process-exited',
    title: /ended by SIGABRT/,
    explanation: /It crashed/,
    evidence: { signal: 'SIGABRT' },
  },
  {
    name: 'silence',
    at: () => node('process.stdin.resume()'),
    code: 'timeout',
    title: /^The process does not answer$/,
    explanation: /may wait for input, still be installing, or be no MCP server/,
  },
  {
    name: 'a banner, and silence',
    at: () => node(`console.log('Welcome to the server'); ${STAY}`),
    code: 'timeout',
    title: /^The process does not answer$/,
    explanation: /wrote text on stdout that is not a message/,
    evidence: { strayOutput: 'Welcome to the server' },
  },
  {
    name: 'a stdout that is closed while the process lives',
    at: () => node(`process.stdin.once('data', () => require('fs').closeSync(1)); ${STAY}`),
    code: 'pipe-closed',
    title: /closed its pipes and lives on/,
  },
  {
    name: 'a refusal',
    at: () => answering(`{ error: { code: -32603, message: 'no database' } }`),
    code: 'refused',
    title: /^The process answered the handshake with an error$/,
    explanation: /no database/i,
  },
  {
    name: 'a revision that nobody knows',
    at: () =>
      answering(
        `method === 'initialize' ? { result: { protocolVersion: '1999-01-01', capabilities: {} } } : ${LEGACY_ONLY}`,
      ),
    code: 'version-mismatch',
    title: /^No revision is spoken by both sides$/,
    explanation: /1999-01-01/,
  },
  {
    name: 'a handshake without a revision',
    at: () => answering(`method === 'initialize' ? { result: {} } : ${LEGACY_ONLY}`),
    code: 'invalid-answer',
    title: /^The first answer of the process cannot be used$/,
    explanation: /without a protocolVersion/,
  },
]

type Remote = 'http' | 'sse' | 'websocket'
const at = (transport: Remote, host: string, path = '/mcp', isSecure = false): ServerAddress => {
  const scheme = transport === 'websocket' ? 'ws' : 'http'
  return { transport, url: `${scheme}${isSecure ? 's' : ''}://${host}${path}` }
}

const OTHER = 'https://other.example/mcp'
const HTML = { 'content-type': 'text/html' }
const JSON_TYPE = { 'content-type': 'application/json' }
const STATUSES: readonly (readonly [number, RegExp])[] = [
  [400, /answer stands below/],
  [404, /no MCP endpoint at this path/],
  [405, /no MCP endpoint at this path/],
  [406, /answer stands below/],
  [410, /answer stands below/],
  [415, /answer stands below/],
  [429, /answer stands below/],
  [500, /The server failed/],
  [502, /The server failed/],
  [503, /The server failed/],
  [504, /The server failed/],
]

/** What can go wrong below every transport of the network, and with its first answer. */
function anyRemote(transport: Remote): readonly Kind[] {
  const to =
    (path = '/mcp', isSecure = false) =>
    (host: string): ServerAddress =>
      at(transport, host, path, isSecure)
  return [
    {
      name: 'nobody listens',
      at: () => failing.refused().then(to()),
      code: 'connection-failed',
      title: /refuses connections \(ECONNREFUSED\)$/,
      explanation: /nothing listens on that port/,
    },
    {
      name: 'an invalid name',
      at: () => to()('no-such-host.invalid'),
      code: 'connection-failed',
      title: /^The name no-such-host\.invalid is not known/,
      explanation: /spelling of the address/,
    },
    {
      name: 'a connection that is broken off',
      at: () => failing.tcp((socket) => socket.destroy()).then(to()),
      code: 'connection-failed',
      title: /broke the connection off/,
      explanation: /closed it without an answer/,
    },
    {
      name: 'another protocol',
      at: () => failing.tcp((socket) => void socket.end('SSH-2.0-OpenSSH_9.9\r\n')).then(to()),
      code: 'not-mcp',
      title: /does not answer with MCP$/,
      explanation: /does not speak HTTP/,
    },
    {
      name: 'a certificate that nobody vouches for',
      at: () => failing.tls().then(to('/mcp', true)),
      code: 'certificate',
      title: /^The certificate of .* is not accepted$/,
      explanation: /^Self-signed certificate.*NODE_EXTRA_CA_CERTS/s,
    },
    {
      name: 'no TLS where it is asked for',
      at: () => failing.reply(200).then(to('/mcp', true)),
      code: 'connection-failed',
      title: /does not speak TLS/,
      explanation: /Is it http:\/\//,
    },
    {
      name: 'TLS where none is asked for',
      at: () => failing.tls().then(to()),
      code: 'connection-failed',
      title: /broke the connection off/,
      explanation: /is https right for it/,
    },
    ...STATUSES.map(([status, explanation]) => ({
      name: `HTTP ${status}`,
      at: () => failing.reply(status, {}, 'its words').then(to()),
      code: 'http-status',
      title: new RegExp(` answered HTTP ${status}$`),
      explanation,
      evidence: { httpStatus: status, httpBody: 'its words' },
    })),
    ...[401, 403].map((status) => ({
      name: `HTTP ${status}`,
      at: () => failing.reply(status, { 'www-authenticate': 'Bearer' }).then(to()),
      code: 'unauthorized',
      title: new RegExp(` answered ${status}: not authorised$`),
      explanation: status === 401 ? /wants credentials/ : /knows who asks and refuses/,
      evidence: { httpStatus: status },
    })),
    ...[301, 307, 308].map((status) => ({
      name: `a redirect to another origin by HTTP ${status}`,
      at: () => failing.reply(status, { location: OTHER }).then(to()),
      code: 'http-status',
      title: new RegExp(` answered HTTP ${status}$`),
      explanation: /It points to https:\/\/other\.example\/mcp/,
    })),
    {
      name: 'a failing gateway with a web page',
      at: () => failing.reply(502, HTML, '<html>bad gateway').then(to()),
      code: 'http-status',
      title: /answered HTTP 502$/,
      explanation: /It sent a web page/,
    },
  ]
}

const webPage = (transport: 'http' | 'sse'): Kind => ({
  name: 'a web page',
  at: () => failing.reply(200, HTML, '<html>hello').then((host) => at(transport, host)),
  code: 'not-mcp',
  title: /sent a web page, not MCP$/,
  explanation: /page for people/,
  evidence: { httpBody: '<html>hello' },
})

const HTTP: readonly Kind[] = [
  webPage('http'),
  {
    name: 'no answer at all',
    at: () => failing.http(() => undefined).then((host) => at('http', host)),
    code: 'timeout',
    title: / does not answer$/,
    explanation: /accepted the request and never answered/,
  },
  {
    name: 'JSON that is cut off',
    at: () => failing.reply(200, JSON_TYPE, '{"hello').then((host) => at('http', host)),
    code: 'not-mcp',
    title: /does not answer with MCP$/,
    evidence: { httpBody: '{"hello' },
  },
  {
    name: 'an event stream that ends without an answer',
    at: () => failing.events(': hi\n\n', true).then((host) => at('http', host)),
    code: 'connection-failed',
    title: /^No connection to .* came about$/,
    explanation: /stream/,
  },
  {
    name: 'a refusal',
    at: async () =>
      at('http', await failing.answer(() => ({ error: { code: -32603, message: 'no database' } }))),
    code: 'refused',
    title: /answered the handshake with an error$/,
    explanation: /no database/i,
  },
]

const SSE: readonly Kind[] = [
  webPage('sse'),
  {
    name: 'JSON instead of an event stream',
    at: () => failing.reply(200, JSON_TYPE, '{}').then((host) => at('sse', host)),
    code: 'not-mcp',
    title: /does not answer with MCP$/,
    explanation: /Expected the event stream of HTTP\+SSE, got HTTP 200 with application\/json/,
  },
  {
    name: 'an endpoint on another origin',
    at: () =>
      failing.events('event: endpoint\ndata: http://evil.example/x\n\n').then((host) => at('sse', host)),
    code: 'not-mcp',
    title: /does not answer with MCP$/,
    explanation: /endpoint on another origin \(http:\/\/evil\.example\); nothing is sent there/,
  },
  {
    name: 'an event stream that ends at once',
    at: () => failing.events(': hi\n\n', true).then((host) => at('sse', host)),
    code: 'connection-failed',
    title: /^No connection to .* came about$/,
    explanation: /ended the event stream/,
  },
]

const WEB_SOCKET: readonly Kind[] = [
  {
    name: 'a web server',
    at: () => failing.reply(200, HTML, '<html>').then((host) => at('websocket', host)),
    code: 'http-status',
    title: /answered HTTP 200$/,
    explanation: /opens no WebSocket.*often \/ws.*web page/s,
  },
  {
    name: 'a WebSocket that does not select mcp',
    at: async () =>
      at(
        'websocket',
        await failing.webSocket(
          () => undefined,
          () => false,
        ),
      ),
    code: 'not-mcp',
    title: /does not answer with MCP$/,
    explanation: /does not select the subprotocol "mcp"/,
  },
  {
    name: 'a WebSocket that is closed at once',
    at: async () => at('websocket', await failing.webSocket((socket) => socket.close(1008, 'no seats left'))),
    code: 'connection-failed',
    title: /closed the connection with 1008$/,
    explanation: /no seats left/,
  },
  {
    name: 'a WebSocket that is cut at once',
    at: async () => at('websocket', await failing.webSocket((socket) => socket.terminate())),
    code: 'connection-failed',
    title: /^No connection to .* came about$|closed the connection with 1006$/,
    explanation: /cut without a close frame/,
  },
  {
    name: 'a WebSocket that never answers',
    at: async () => at('websocket', await failing.webSocket(() => undefined)),
    code: 'timeout',
    title: / does not answer$/,
  },
]

// Every kind is a real process or port, and is asserted in words where not in milliseconds.
describe.each([
  ['a process', PROCESSES],
  ['Streamable HTTP', [...anyRemote('http'), ...HTTP]],
  ['HTTP+SSE', [...anyRemote('sse'), ...SSE]],
  ['WebSocket', [...anyRemote('websocket'), ...WEB_SOCKET]],
])('%s: the cause is named for', (_where, kinds) => {
  it.each(kinds)('$name', async ({ at: reach, code, title, explanation, evidence }) => {
    const failure = await failureAt(await reach(), code === 'timeout' ? SILENT_MS : PATIENT_MS)
    expect(failure).toMatchObject({ code, ...evidence })
    expect(failure.title).toMatch(title)
    expect(failure.title).toMatch(/^\S.{5,160}$/)
    if (explanation !== undefined) expect(failure.explanation).toMatch(explanation)
    expect(failure.explanation).toMatch(/^["A-Zh].{10,}[.?]$/s)
  })
})
