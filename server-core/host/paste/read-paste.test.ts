import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ServerDraft } from '../contract/servers.ts'
import { readPaste } from './read-paste.ts'
import { splitCommandLine } from './split-command-line.ts'

const stdio = (name: string, command: string, args: string[], rest: object = {}): ServerDraft => ({
  name,
  target: { transport: 'stdio', command, args, env: [], ...rest },
})
const http = (
  name: string,
  url: string,
  headers: { name: string; value: string }[] = [],
  rest: object = {},
): ServerDraft => ({
  name,
  target: { transport: /^ws/.test(url) ? 'websocket' : 'auto', url, headers },
  ...rest,
})

it.each(['http://', 'ftp://x/y', 'HTTPS://', 'wss://'])('no address: %s', (text) => {
  expect(readPaste(text)).toEqual({
    drafts: [],
    problems: [
      {
        name: 'pasted text',
        reason: `Expected an address like https://example.com/mcp or wss://example.com/ws, got "${text}".`,
      },
    ],
  })
})

describe('a pasted configuration', () => {
  it.each<[string, string, ServerDraft[]]>([
    [
      'of Claude or Cursor',
      '{"mcpServers":{"fs":{"command":"npx","args":["-y","@x/fs","/tmp"],"env":{"K":"v","N":3}}}}',
      [
        stdio('fs', 'npx', ['-y', '@x/fs', '/tmp'], {
          env: [
            { name: 'K', value: 'v' },
            { name: 'N', value: '3' },
          ],
        }),
      ],
    ],
    [
      'of VS Code, with a remote server and a bearer token',
      '{"servers":{"remote":{"type":"http","url":"https://a.example/mcp","headers":{"Authorization":"Bearer t0k","X":"1"}}},"inputs":[]}',
      [http('remote', 'https://a.example/mcp', [{ name: 'X', value: '1' }], { bearerToken: 't0k' })],
    ],
    [
      'with the older transport, and with a WebSocket',
      '{"servers":{"old":{"type":"sse","url":"https://a.example/sse"},"socket":{"type":"http","url":"wss://a.example/ws"}}}',
      [
        { name: 'old', target: { transport: 'sse', url: 'https://a.example/sse', headers: [] } },
        http('socket', 'wss://a.example/ws'),
      ],
    ],
    ['of VS Code’s settings', '{"mcp":{"servers":{"a":{"command":"a"}}}}', [stdio('a', 'a', [])]],
    [
      'of Zed',
      '{"context_servers":{"z":{"command":{"path":"zed-server","args":["x"]}}}}',
      [stdio('z', 'zed-server', ['x'])],
    ],
    [
      'of one entry',
      '{"command":"node","args":["server.js"],"cwd":"/srv"}',
      [stdio('server.js', 'node', ['server.js'], { cwd: '/srv' })],
    ],
    [
      'of a bare map',
      '{"a":{"command":"a"},"b":{"serverUrl":"http://localhost:3000/mcp"}}',
      [stdio('a', 'a', []), http('b', 'http://localhost:3000/mcp')],
    ],
    ['cut out of its braces', '"a": { "command": "a" },', [stdio('a', 'a', [])]],
    [
      'with comments and trailing commas',
      '{ // servers\n"mcpServers": { /* one */ "a": { "command": "a", "args": ["http://x//y", "/* no */",], }, }, }',
      [stdio('a', 'a', ['http://x//y', '/* no */'])],
    ],
  ])('%s is read', (_what, text, drafts) => {
    expect(readPaste(text)).toEqual({ drafts, problems: [] })
  })

  it('gives what can be read and names the rest', () => {
    const { drafts, problems } = readPaste(
      '{"mcpServers":{"good":{"command":"a"},"none":{},"args":{"command":"a","args":"x"},"env":{"command":"a","env":{"K":{}}},"address":{"type":"sse","url":7},"null":null}}',
    )
    expect(drafts).toEqual([stdio('good', 'a', [])])
    expect(problems.map(({ name }) => name)).toEqual(['none', 'args', 'env', 'address', 'null'])
    expect(problems.every(({ reason }) => reason.length > 10)).toBe(true)
  })

  it.each(['{', '[]', '[1]', '{}', '', '   ', '{"mcpServers":{}}', '"just text"'])(
    'that is %s has a problem with a reason',
    (text) => {
      const { drafts, problems } = readPaste(text)
      expect(drafts).toEqual([])
      expect(problems).toHaveLength(1)
    },
  )

  it('reads names that are special in JavaScript as names', () => {
    const { drafts } = readPaste('{"mcpServers":{"__proto__":{"command":"a","env":{"__proto__":"x"}}}}')
    expect(drafts).toEqual([stdio('__proto__', 'a', [], { env: [{ name: '__proto__', value: 'x' }] })])
    expect(({} as Record<string, unknown>)['command']).toBeUndefined()
  })
})

describe('a pasted command line', () => {
  it.each<[string, ServerDraft]>([
    [
      'npx -y @modelcontextprotocol/server-everything stdio',
      stdio('@modelcontextprotocol/server-everything', 'npx', [
        '-y',
        '@modelcontextprotocol/server-everything',
        'stdio',
      ]),
    ],
    [
      '$ uvx mcp-server-git --repository "/my repo"',
      stdio('mcp-server-git', 'uvx', ['mcp-server-git', '--repository', '/my repo']),
    ],
    [
      'KEY=a\\ b /opt/bin/server --x',
      stdio('server', '/opt/bin/server', ['--x'], { env: [{ name: 'KEY', value: 'a b' }] }),
    ],
    ['docker run -i --rm mcp/fetch', stdio('fetch', 'docker', ['run', '-i', '--rm', 'mcp/fetch'])],
    [
      'node ./server-everything/dist/index.js stdio',
      stdio('server-everything', 'node', ['./server-everything/dist/index.js', 'stdio']),
    ],
    ['server \\\n  --one \\\n  --two', stdio('server', 'server', ['--one', '--two'])],
  ])('%s is read', (text, draft) => {
    expect(readPaste(text)).toEqual({ drafts: [draft], problems: [] })
  })

  it.each([
    'a | b',
    'a; b',
    'a && b',
    'a $HOME',
    'a "$(x)"',
    'a `x`',
    'a > f',
    'a *',
    "a 'b",
    'a "b',
    'a \\',
    'A=1',
  ])('%s, which needs a shell or is not whole, is a problem and not a guess', (text) => {
    const { drafts, problems } = readPaste(text)
    expect(drafts).toEqual([])
    expect(problems[0]?.reason).toBeTruthy()
  })

  it('splits whatever was quoted back into the same words', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (words) => {
        const line = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
        expect(splitCommandLine(line)).toEqual(words)
      }),
    )
  })
})

describe('a pasted address or curl command', () => {
  it.each<[string, ServerDraft]>([
    ['https://mcp.example.com/mcp', http('mcp.example.com', 'https://mcp.example.com/mcp')],
    [
      `curl -X POST https://a.example:8443/mcp?x=1&y=2 -H 'Content-Type: application/json' -H "Authorization: Bearer abc" --header=X-Team:\\ blue -d '{"a":1}'`,
      http('a.example:8443', 'https://a.example:8443/mcp?x=1&y=2', [{ name: 'X-Team', value: 'blue' }], {
        bearerToken: 'abc',
      }),
    ],
    [
      'curl -sS -HX-A:1 -u me:pw localhost:3000/mcp',
      http('localhost:3000', 'http://localhost:3000/mcp', [
        { name: 'X-A', value: '1' },
        { name: 'Authorization', value: 'Basic bWU6cHc=' },
      ]),
    ],
    [
      "curl --url 'http://h/mcp' \\\n -b 'a=b' --oauth2-bearer tok",
      http('h', 'http://h/mcp', [{ name: 'Cookie', value: 'a=b' }], { bearerToken: 'tok' }),
    ],
  ])('%s is read', (text, draft) => {
    expect(readPaste(text)).toEqual({ drafts: [draft], problems: [] })
  })

  it('without an address is a problem', () => {
    expect(readPaste('curl -s').problems).toHaveLength(1)
  })
})

it('never throws, whatever was pasted', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.json(),
        fc.string().map((text) => `curl ${text}`),
      ),
      (text) => {
        readPaste(text)
      },
    ),
  )
})

it('starts nothing and reads no file: its modules import neither processes nor the file system', () => {
  for (const file of [
    'read-paste',
    'client-config',
    'command-line',
    'curl',
    'server-name',
    'split-command-line',
  ]) {
    const source = readFileSync(new URL(`./${file}.ts`, import.meta.url), 'utf8')
    expect(source).not.toMatch(/node:(child_process|fs|net|http|worker_threads)/)
  }
})
