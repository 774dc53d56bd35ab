import { expect, test } from 'vitest'
import { SUPPORTED } from '../protocol/revisions.ts'
import { USAGE } from './help/usage.ts'
import { readCommand } from './command.ts'

const read = (line: string) => readCommand(line.split(' ').filter((word) => word !== ''))

test('a server is named by its command, address or stored name', async () => {
  await expect(read('list -- node server.js --json')).resolves.toEqual({
    type: 'list',
    lists: [],
    json: false,
    timeoutMs: 60_000,
    target: { type: 'command', command: 'node', args: ['server.js', '--json'], env: [] },
  })
  await expect(
    readCommand(['list', '--url', 'http://localhost/mcp', '--header', 'X-Key: a: b', '--json']),
  ).resolves.toEqual({
    type: 'list',
    lists: [],
    json: true,
    timeoutMs: 60_000,
    target: { type: 'url', url: 'http://localhost/mcp', headers: [{ name: 'X-Key', value: 'a: b' }] },
  })
  await expect(read('list --server everything --profile /data')).resolves.toMatchObject({
    target: { type: 'stored', name: 'everything', profile: '/data' },
  })
})

test('the version is asked for by a flag', async () => {
  await expect(read('--version')).resolves.toEqual({ type: 'version' })
})

test('a call has a tool, its arguments and what its command needs', async () => {
  const words = [
    'call',
    'add',
    '{"a":1}',
    '--env',
    'KEY=a=b',
    '--cwd',
    '/tmp',
    '--timeout',
    '500',
    '--',
    'srv',
  ]
  await expect(readCommand(words)).resolves.toEqual({
    type: 'call',
    tool: 'add',
    argumentsText: '{"a":1}',
    named: [],
    json: false,
    timeoutMs: 500,
    isTimeoutChosen: true,
    target: { type: 'command', command: 'srv', args: [], env: [{ name: 'KEY', value: 'a=b' }], cwd: '/tmp' },
  })
})

test('reads the protocol of the connection, and the responders', async () => {
  await expect(
    read('ping --url ws://x/ --transport ws --revision 2025-11-25 --count 2 --authorize'),
  ).resolves.toEqual({
    type: 'ping',
    count: 2,
    json: false,
    timeoutMs: 60_000,
    authorize: true,
    target: { type: 'url', url: 'ws://x/', headers: [], transport: 'websocket', protocol: '2025-11-25' },
  })
  await expect(read('ping --server a --transport sse --revision 2024-11-05')).resolves.toMatchObject({
    target: { type: 'stored', name: 'a', transport: 'sse', protocol: '2024-11-05' },
  })
  const words = [
    'sampling=model:mine/some/model',
    'elicitation=wait:5:fixed:{"action":"accept","content":{"n":1.0}}',
    'elicitation-url=ask',
    'roots=/a b',
    'roots=/c',
  ].flatMap((rule) => ['--responder', rule])
  await expect(readCommand(['list', ...words, '--', 'node'])).resolves.toMatchObject({
    responders: {
      sampling: { kind: 'model', endpointId: 'mine', model: 'some/model' },
      'elicitation-form': {
        kind: 'wait',
        ms: 5,
        then: { kind: 'fixed', result: { action: 'accept', content: { n: { source: '1.0' } } } },
      },
      'elicitation-url': { kind: 'people' },
      roots: {
        kind: 'fixed',
        result: {
          roots: [
            { uri: 'file:///a%20b', name: 'a b' },
            { uri: 'file:///c', name: 'c' },
          ],
        },
      },
    },
  })
})

test('serve takes any transports together, and what is said of them', async () => {
  await expect(read('serve')).resolves.toEqual({ type: 'serve', flags: {} })
  await expect(read('serve --ws --http')).resolves.toEqual({
    type: 'serve',
    flags: { transports: ['http', 'ws'] },
  })
  await expect(read('serve --all')).resolves.toEqual({
    type: 'serve',
    flags: { transports: ['stdio', 'http', 'sse', 'ws'] },
  })
  const rest =
    '--host ::1 --port 4000 --token abc --allow-host a.test --allow-host b.test --allow-origin https://a.test ' +
    '--log-level debug --revision 2025-11-25,2024-11-05 --revision 2025-11-25 --workspace /w'
  await expect(read(`serve ${rest}`)).resolves.toEqual({
    type: 'serve',
    flags: {
      host: '::1',
      port: 4000,
      tokens: [{ token: 'abc' }],
      allowedHosts: ['a.test', 'b.test'],
      allowedOrigins: ['https://a.test'],
      logLevel: 'debug',
      revisions: ['2024-11-05', '2025-11-25'],
      workspace: '/w',
    },
  })
})

test('help is there for each command', async () => {
  await expect(read('--help')).resolves.toEqual({ type: 'help', topic: 'all' })
  await expect(read('call --help')).resolves.toEqual({ type: 'help', topic: 'call' })
  await expect(read('help call')).resolves.toEqual({ type: 'help', topic: 'call' })
  await expect(read('help connecting')).resolves.toEqual({ type: 'help', topic: 'connecting' })
  await expect(readCommand([])).resolves.toEqual({ type: 'open', mode: 'browser', port: 0 })
})

test('help begins with an example that can be typed, and says what is shared in one place', () => {
  for (const [topic, text] of Object.entries(USAGE)) {
    if (topic === 'exit-codes') continue
    const [example = ''] = text.split('\n')
    expect(example, topic).toMatch(/^ {2}patchbay \S/)
    expect(text.match(/--responder KIND=RULE/g) ?? [], topic).toHaveLength(topic === 'answering' ? 1 : 0)
    expect(Math.max(...text.split('\n').map((line) => line.length)), topic).toBeLessThanOrEqual(120)
  }
})

test.each([
  ['lst', 'there is no command "lst"; did you mean "list"?'],
  ['instal', 'there is no command "instal"; did you mean "mcp install" or "mcp uninstall"?'],
  ['aprove', 'there is no command "aprove"; did you mean "servers approve"'],
  ['mcp instal', 'did you mean install'],
  ['mcp install cursr', 'did you mean cursor?'],
  ['help conecting', 'there is no help on "conecting"; did you mean connecting?'],
  ['list --urll http://x/', "Unknown option '--urll'; did you mean --url"],
  ['serve --htpp', "Unknown option '--htpp'; did you mean --http"],
  ['proxy --sever x', "Unknown option '--sever'; did you mean --server"],
  ['import --dryrun', "Unknown option '--dryrun'; did you mean --dry-run"],
  ['proxy node server.js', 'proxy does not take "node"; a command goes after --'],
  ['list --trust -- node', '--trust goes with --dir only'],
  ['list --dir w --insecure', '--insecure goes with --url or --server only'],
  ['list --dir w --url http://x/mcp', 'name one server: --url and --dir exclude each other'],
  ['list', 'name a server: --url URL, --server NAME, --dir DIR, or -- COMMAND at the end'],
  ['frobnicate', 'there is no command "frobnicate" and no such program on PATH; there are serve, '],
  ['list --', 'there is no command after --'],
  ['list node', 'list knows no "node": tools, resources, templates, prompts, tasks; a command goes after --'],
  ['list --url http://x/ -- node', 'name one server: --url and -- COMMAND exclude each other'],
  [
    'list --url localhost:3000',
    '--url expects an address that begins with http://, https://, ws:// or wss://, got "localhost:3000"',
  ],
  ['list --url http://x/ --env A=1', '--env goes with -- COMMAND only'],
  ['list --header A:1 -- node', '--header goes with --url only'],
  ['list --url http://x/ --header secret', '--header expects \'Name: value\', got "secret"'],
  ['list --env =1 -- node', '--env expects NAME=value, or the NAME of a variable, got "=1"'],
  ['list --timeout soon -- node', '--timeout expects milliseconds, got "soon"'],
  ['list --jsn -- node', "Unknown option '--jsn'"],
  ['list tools prompts --cursor x -- node', '--cursor belongs to one list'],
  ['list --all --page -- node', '--all and a single page exclude each other'],
  ['list --transport carrier -- node', '--transport expects one of auto, stdio, http, sse, ws, websocket'],
  ['list --transport http -- node', 'a command uses stdio, not http; --transport goes with --url'],
  [
    'list --transport ws --url http://x/',
    '--transport websocket goes with an address that begins with ws://',
  ],
  ['list --transport stdio --url http://x/', 'stdio is for commands, not for --url'],
  [
    'list --revision 2025-01-01 -- node',
    `--revision expects one of ${SUPPORTED.join(', ')}, got "2025-01-01"`,
  ],
  [
    'list --responder decline -- node',
    '--responder expects KIND=RULE with a KIND of sampling, elicitation, ',
  ],
  [
    'list --responder sampling=perhaps -- node',
    '--responder sampling= expects ask, decline, never, fixed:JSON',
  ],
  ['list --responder elicitation=fixed:[] -- node', 'fixed: expects a JSON object, or @FILE that holds one'],
  ['list --responder elicitation=model:x -- node', 'a model answers sampling, nothing else'],
  ['list --responder roots=wait:x -- node', 'wait: expects MS:RULE, as wait:500:decline'],
  ['call --log-level loud t -- node', '--log-level expects one of debug, info, notice, '],
  ['call t --arg x -- node', '--arg expects NAME=value, got "x"'],
  ['read -- node', 'read expects the URI of a resource'],
  ['get p {} 2 -- node', 'get takes a prompt and one JSON object, and then came "2"; quote the JSON'],
  ['complete p -- node', 'complete expects a prompt or URI template, an argument of it, and its beginning'],
  ['subscribe -- node', 'subscribe expects the URIs of resources'],
  ['subscribe a:b --count 0 -- node', '--count expects a number from 1 on, got "0"'],
  ['ping now -- node', 'ping takes no "now"; a command goes after --'],
  ['raw -- node', 'raw expects what to send, or - to read it from standard input'],
  ['raw {} --wait long -- node', '--wait expects milliseconds, got "long"'],
  ['call -- node', 'call expects the name of a tool'],
  ['call add {} 2 -- node', 'call takes a tool and one JSON object, and then came "2"; quote the JSON'],
  ['serve --revision 2025-01-01', `--revision expects one of ${SUPPORTED.join(', ')}, got "2025-01-01"`],
  ['serve --log-level loud', '--log-level expects one of debug, info, warning, error, got "loud"'],
  [
    'serve --allow-origin a.test',
    '--allow-origin expects an origin such as https://example.com, got "a.test"',
  ],
  ['serve --token café', '--token expects a token of visible ASCII characters without spaces'],
  ['serve --sdtio', "Unknown option '--sdtio'"],
  ['serve one two', 'serve takes one folder, got "two" too'],
  ['serve --port 70000', '--port expects a number from 0 to 65535, got "70000"'],
])('patchbay %s is refused in words', async (line, message) => {
  await expect(read(line)).rejects.toThrow(message)
})
