import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import type { CopiedExchange, CopiedServer } from './copied-exchange.ts'
import { copyAs, type CopyFormat } from './copy-formats.ts'
import { exchangeWith } from './exchange.test-support.ts'

/** Each test starts several programs one after another. */
const SEVERAL_PROGRAMS = { timeout: 240_000 }
const root = path.resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const EVERYTHING = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
)
const STDIO: CopiedServer = {
  type: 'command',
  command: process.execPath,
  args: [EVERYTHING, 'stdio'],
  cwd: undefined,
  env: {},
  secrets: [],
}
/** What a shell, a string literal and Markdown would each read as something else. */
const HOSTILE = `it's "$(id)" \`date\` $HOME \\ \${1} \u2028 ⟨ é ''' """ --x`

/** A server without sessions that says what it got. */
async function startEcho(): Promise<{ url: string; headers: () => Record<string, unknown> }> {
  let headers: Record<string, unknown> = {}
  const http = createServer((request, response) => {
    ;({ headers } = request)
    const server = new McpServer({ name: 'echo', version: '1' })
    server.registerTool('echo', { inputSchema: { message: z.string() } }, ({ message }) => ({
      content: [{ type: 'text', text: `got ${message}` }],
    }))
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
    response.on('close', () => void server.close())
    void server.connect(transport as Parameters<typeof server.connect>[0]).then(() => {
      void transport.handleRequest(request, response)
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, headers: () => headers }
}

/** Runs a command line as a shell does. */
async function shell(line: string, env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await run('/bin/sh', ['-c', line], {
    cwd: root,
    env: { ...process.env, PATCHBAY_TOKEN: undefined, ...env },
    timeout: 60_000,
  })
  return stdout
}

function copied(format: CopyFormat, exchange: CopiedExchange): string {
  const text = copyAs(format, exchange)
  if (text === undefined) throw new Error(`expected ${format}`)
  return text
}

const CLI = `${process.execPath} server-core/launcher/patchbay.ts`
const echo = (more: Partial<CopiedExchange>) =>
  exchangeWith('tools/call', { name: 'echo', arguments: { message: HOSTILE } }, more)

test('curl sends what was sent, with the headers that were sent, and masked secrets stay masked', async () => {
  const { url, headers } = await startEcho()
  const line = copied(
    'curl',
    echo({
      http: {
        exchange: 1,
        method: 'POST',
        url,
        headers: [
          { name: 'host', value: 'other' },
          { name: 'content-length', value: '3' },
          { name: 'content-type', value: 'application/json' },
          { name: 'accept', value: 'application/json, text/event-stream' },
          { name: 'x-note', value: HOSTILE.replaceAll(/[^ -~]/g, '') },
          { name: 'authorization', value: 'Bearer ⟨redacted⟩' },
          { name: '@/etc/passwd', value: 'x' },
        ],
      },
    }),
  )
  expect(line).toContain('Bearer ⟨redacted⟩')
  expect(line).not.toContain('passwd')
  expect(JSON.parse(await shell(line))).toMatchObject({
    id: 7,
    result: { content: [{ text: `got ${HOSTILE}` }] },
  })
  expect(headers()['x-note']).toBe(HOSTILE.replaceAll(/[^ -~]/g, ''))
  expect(copyAs('curl', echo({}))).toBeUndefined()
})

test(
  'commands of Patchbay do the same over HTTP and stdio, whatever the arguments are',
  SEVERAL_PROGRAMS,
  async () => {
    const { url, headers } = await startEcho()
    const commandLine = { command: CLI, profile: undefined }
    const http: CopiedServer = {
      type: 'url',
      url,
      transport: 'http',
      headers: { 'x-plain': "it's" },
      secrets: ['X-Api-Key'],
    }
    const line = copied('command', echo({ server: http, commandLine }))
    const answer = await shell(line, { X_API_KEY: 'k"e y' })
    expect(JSON.parse(answer)).toMatchObject({ content: [{ text: `got ${HOSTILE}` }] })
    expect([headers()['x-plain'], headers()['x-api-key']]).toEqual(["it's", 'k"e y'])
    const over = (method: string, params: object) =>
      shell(copied('command', exchangeWith(method, params, { server: STDIO, commandLine })))
    expect(await over('tools/list', {})).toContain('get-sum')
    expect(await over('logging/setLevel', { level: 'debug' })).toContain('"result"')
  },
)

test('a stored server is named; one that is not known is left to the reader', () => {
  const line = { command: 'patchbay', profile: '/tmp/a b' }
  expect(copied('command', echo({ storedName: '-x y', commandLine: line }))).toContain(
    "'--server=-x y' --profile '/tmp/a b'".replace("'--server=-x y'", "--server='-x y'"),
  )
  expect(copied('command', exchangeWith('resources/read', { uri: 'notes://today' }))).toBe(
    'patchbay read notes://today -- COMMAND',
  )
  expect(copied('command', exchangeWith('tools/call', { name: '--json' }))).toMatch(/^patchbay raw '/)
})

test(
  'TypeScript with the official SDK runs, for methods that it knows and others',
  SEVERAL_PROGRAMS,
  async () => {
    const folder = await mkdtemp(path.join(root, '.build', 'copy-as-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const { url, headers } = await startEcho()
    const http: CopiedServer = {
      type: 'url',
      url,
      transport: 'http',
      headers: {},
      secrets: ['Authorization'],
    }
    const runs = async (exchange: CopiedExchange): Promise<string> => {
      const file = path.join(folder, 'program.mts')
      await writeFile(file, copied('typescript', exchange))
      const { stdout } = await run(process.execPath, [file], {
        env: { ...process.env, AUTHORIZATION: 'Bearer t' },
        timeout: 60_000,
      })
      return stdout
    }
    expect(JSON.parse(await runs(echo({ server: http })))).toMatchObject({
      content: [{ text: `got ${HOSTILE}` }],
    })
    expect(headers()['authorization']).toBe('Bearer t')
    const over = (method: string, params: object) => runs(exchangeWith(method, params, { server: STDIO }))
    expect(await over('tools/list', { _meta: { progressToken: 1 } })).toContain('get-sum')
    expect(await over('logging/setLevel', { level: 'debug' })).toContain('{}')
    expect(await over('initialize', {})).toContain('mcp-servers/everything')
  },
)

test('Python compiles, and its values are those of the call', SEVERAL_PROGRAMS, async () => {
  const params = { name: 'echo', arguments: { message: HOSTILE, on: true, off: false, none: null, n: [1.5] } }
  for (const server of [
    STDIO,
    { type: 'url', url: 'http://x/', transport: 'http', headers: {}, secrets: ['Key'] },
    { type: 'url', url: 'http://x/', transport: 'sse', headers: {}, secrets: [] },
  ] as const satisfies readonly CopiedServer[])
    for (const exchange of [
      exchangeWith('tools/call', params, { server }),
      exchangeWith('initialize', {}, { server }),
      exchangeWith('x/y', params, { server }),
    ]) {
      const program = copied('python', exchange)
      const check = `import ast,sys,json
tree = ast.parse(sys.stdin.read())
print(json.dumps([ast.literal_eval(n) for n in ast.walk(tree) if isinstance(n, ast.Dict)]))`
      const found = run('python3', ['-c', check], { timeout: 60_000 })
      found.child.stdin?.end(program.replace('os.environ["KEY"]', '""'))
      const dictionaries = JSON.parse((await found).stdout) as unknown[]
      if (!exchange.request.includes('"initialize"'))
        expect(JSON.stringify(dictionaries)).toContain(JSON.stringify(params.arguments))
    }
})

test('Markdown quotes what it contains, with longer fences than any in it', () => {
  const text = copied('markdown', exchangeWith('tools/call', { name: '*x* ``y``', arguments: { a: '````' } }))
  expect(text).toContain('### ``` tools/call *x* ``y`` ```')
  expect(text).toContain('`````json\n{')
  expect(text).toContain(
    'everything, ` 2026-11-22T14:00:00.000Z `, 12 ms'.replace(
      '` 2026-11-22T14:00:00.000Z `',
      '2026-11-22T14:00:00.000Z',
    ),
  )
  expect(text).toContain('Response:')
})

test('a batch or invalid message is copied as it is', () => {
  for (const request of ['[{"jsonrpc":"2.0","method":"a"}]', 'Welcome!', '{"jsonrpc":']) {
    const exchange = { ...echo({}), request }
    expect(copied('json', exchange)).toBe(request)
    expect(copyAs('typescript', exchange)).toBeUndefined()
    expect(copyAs('python', exchange)).toBeUndefined()
    expect(copied('command', exchange)).toContain('raw ')
    expect(copied('markdown', exchange)).toContain('### Message')
  }
})
