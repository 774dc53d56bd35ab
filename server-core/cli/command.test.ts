import { expect, test } from 'vitest'
import { SUPPORTED } from '../protocol/revisions.ts'
import { readCommand } from './command.ts'

const read = (line: string) => readCommand(line.split(' ').filter((word) => word !== ''))

test('a server is named by its command, address or stored name', () => {
  expect(read('list -- node server.js --json')).toEqual({
    type: 'list',
    json: false,
    timeoutMs: 60_000,
    target: { type: 'command', command: 'node', args: ['server.js', '--json'], env: [] },
  })
  expect(readCommand(['list', '--url', 'http://localhost/mcp', '--header', 'X-Key: a: b', '--json'])).toEqual(
    {
      type: 'list',
      json: true,
      timeoutMs: 60_000,
      target: { type: 'url', url: 'http://localhost/mcp', headers: [{ name: 'X-Key', value: 'a: b' }] },
    },
  )
  expect(read('list --server everything --profile /data')).toMatchObject({
    target: { type: 'stored', name: 'everything', profile: '/data' },
  })
})

test('the version is asked for by a flag', () => {
  expect(read('--version')).toEqual({ type: 'version' })
})

test('a call has a tool, its arguments and what its command needs', () => {
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
  expect(readCommand(words)).toEqual({
    type: 'call',
    tool: 'add',
    argumentsText: '{"a":1}',
    json: false,
    timeoutMs: 500,
    target: { type: 'command', command: 'srv', args: [], env: [{ name: 'KEY', value: 'a=b' }], cwd: '/tmp' },
  })
})

test('serve takes any transports together, and what is said of them', () => {
  expect(read('serve')).toEqual({ type: 'serve', flags: {} })
  expect(read('serve --ws --http')).toEqual({ type: 'serve', flags: { transports: ['http', 'ws'] } })
  expect(read('serve --all')).toEqual({
    type: 'serve',
    flags: { transports: ['stdio', 'http', 'sse', 'ws'] },
  })
  const rest =
    '--host ::1 --port 4000 --token abc --allow-host a.test --allow-host b.test --allow-origin https://a.test ' +
    '--log-level debug --revision 2025-11-25,2024-11-05 --revision 2025-11-25 --workspace /w'
  expect(read(`serve ${rest}`)).toEqual({
    type: 'serve',
    flags: {
      host: '::1',
      port: 4000,
      token: 'abc',
      allowedHosts: ['a.test', 'b.test'],
      allowedOrigins: ['https://a.test'],
      logLevel: 'debug',
      revisions: ['2024-11-05', '2025-11-25'],
      workspace: '/w',
    },
  })
})

test('help is there for each command', () => {
  expect(read('--help')).toEqual({ type: 'help', topic: 'all' })
  expect(read('call --help')).toEqual({ type: 'help', topic: 'call' })
})

test.each([
  ['', 'expected a command: serve, list, call'],
  ['lst', 'there is no command "lst": serve, list, call'],
  ['list', 'name a server: --url URL, --server NAME, or -- COMMAND at the end'],
  ['list --', 'there is no command after --'],
  ['list node', 'list takes no "node"; a command goes after --'],
  ['list --url http://x/ -- node', 'name one server: --url and -- COMMAND exclude each other'],
  [
    'list --url localhost:3000',
    '--url expects an address that begins with http://, https://, ws:// or wss://, got "localhost:3000"',
  ],
  ['list --url http://x/ --env A=1', '--env goes with -- COMMAND only'],
  ['list --header A:1 -- node', '--header goes with --url only'],
  ['list --url http://x/ --header secret', '--header expects \'Name: value\', got "secret"'],
  ['list --env =1 -- node', '--env expects NAME=value, got "=1"'],
  ['list --timeout soon -- node', '--timeout expects milliseconds, got "soon"'],
  ['list --jsn -- node', "Unknown option '--jsn'"],
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
  ['serve http', "Unexpected argument 'http'"],
  ['serve --port 70000', '--port expects a number from 0 to 65535, got "70000"'],
])('patchbay %s is refused in words', (line, message) => {
  expect(() => read(line)).toThrow(message)
})
