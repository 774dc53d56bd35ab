import { describe, expect, test } from 'vitest'
import type { ServeOptions } from './serve-options.ts'
import { hostToListenOn, planServe, type Said } from './serve-plan.ts'

const NOTHING: Said = { flags: {}, file: {}, tokenVariable: undefined, isPiped: false }
const plan = (said: Partial<Said>) => planServe({ ...NOTHING, ...said })

describe('which transports are served', () => {
  test.each<[string, Partial<Said>, { stdio: boolean; routes: string }]>([
    ['a terminal and no transport', {}, { stdio: false, routes: 'mcp' }],
    ['a pipe and no transport', { isPiped: true }, { stdio: true, routes: '' }],
    ['a pipe and a port', { isPiped: true, flags: { port: 0 } }, { stdio: false, routes: 'mcp' }],
    [
      'a pipe and a host in the file',
      { isPiped: true, file: { host: '::1' } },
      { stdio: false, routes: 'mcp' },
    ],
    ['one flag', { flags: { transports: ['ws'] } }, { stdio: false, routes: 'ws' }],
    ['stdio and a route', { flags: { transports: ['stdio', 'sse'] } }, { stdio: true, routes: 'sse' }],
    ['all', { flags: { transports: ['stdio', 'http', 'sse', 'ws'] } }, { stdio: true, routes: 'mcp sse ws' }],
    [
      'the file, on a pipe',
      { isPiped: true, file: { transports: ['http'] } },
      { stdio: false, routes: 'mcp' },
    ],
    [
      'a pipe, without stdio',
      { isPiped: true, file: { excluded: ['stdio'] } },
      { stdio: false, routes: 'mcp' },
    ],
    ['a pipe, without HTTP', { isPiped: true, file: { excluded: ['http'] } }, { stdio: true, routes: '' }],
    [
      'a flag for what the file excludes',
      { flags: { transports: ['http'] }, file: { excluded: ['http'] } },
      { stdio: false, routes: 'mcp' },
    ],
    [
      'a flag over the file',
      { flags: { transports: ['stdio'] }, file: { transports: ['http', 'ws'], port: 4000 } },
      { stdio: true, routes: '' },
    ],
  ])('%s', (_name, said, { stdio, routes }) => {
    const planned = plan(said)
    const on = Object.entries(planned.network?.routes ?? {}).flatMap(([route, isOn]) => (isOn ? [route] : []))
    expect({ stdio: planned.stdio, routes: on.join(' ') }).toEqual({ stdio, routes })
  })
})

test('flags win over the environment, and both over the file', () => {
  const file: ServeOptions = {
    transports: ['http'],
    host: '::1',
    port: 1,
    tokens: [{ token: 'file' }],
    sessionTtl: 60,
    allowedHosts: ['file.test'],
    logLevel: 'error',
    revisions: ['2025-11-25'],
  }
  expect(plan({ file })).toMatchObject({
    logLevel: 'error',
    revisions: ['2025-11-25'],
    network: {
      host: '::1',
      port: 1,
      tokens: [{ token: 'file' }],
      allowedHosts: ['file.test'],
      allowedOrigins: [],
      sessionIdleMs: 60_000,
    },
  })
  expect(plan({ file, tokenVariable: 'variable' }).network?.tokens).toEqual([{ token: 'variable' }])
  expect(plan({ file, tokenVariable: 'variable', tokensVariable: 'ann:a1, bob:b2' }).network?.tokens).toEqual(
    [{ token: 'variable' }, { name: 'ann', token: 'a1' }, { name: 'bob', token: 'b2' }],
  )
  const flags: ServeOptions = {
    host: 'localhost',
    port: 0,
    tokens: [{ name: 'ann', token: 'flag' }],
    sessionTtl: 5,
    logLevel: 'debug',
    revisions: ['2026-07-28'],
  }
  expect(plan({ flags, file, tokenVariable: 'variable' })).toMatchObject({
    logLevel: 'debug',
    revisions: ['2026-07-28'],
    network: {
      host: 'localhost',
      port: 0,
      tokens: [{ name: 'ann', token: 'flag' }],
      allowedHosts: ['file.test'],
      sessionIdleMs: 5_000,
    },
  })
})

test.each<[string, Partial<Said>, string]>([
  [
    'a host that others reach, without a token',
    { flags: { host: '0.0.0.0' } },
    'the host 0.0.0.0 can be reached from other machines, so it needs a token: set PATCHBAY_TOKEN',
  ],
  [
    'the same from the file',
    { file: { transports: ['ws'], host: '192.0.2.1' } },
    'the host 192.0.2.1 can be reached',
  ],
  [
    'a port where nothing listens',
    { flags: { transports: ['stdio'], port: 1 } },
    '--port goes with --http, --sse, --ws or --all; over stdio nothing listens',
  ],
  [
    'a token where nothing listens',
    { flags: { transports: ['stdio'], tokens: [{ token: 'a' }] } },
    '--token goes with --http',
  ],
  [
    'a host that others reach, with the token of the file',
    { file: { transports: ['http'], host: '0.0.0.0', tokens: [{ token: 'known-to-the-author' }] } },
    'the tokens of patchbay.json do not count here',
  ],
  [
    'the host of a flag, with the token of the file',
    { flags: { host: '0.0.0.0' }, file: { tokens: [{ token: 'known-to-the-author' }] } },
    'the tokens of patchbay.json do not count here',
  ],
  [
    'a pipe, without stdio, of a file that only restricts: no port is opened in its place',
    { isPiped: true, file: { excluded: ['stdio'], restrictsOnly: true } },
    'nothing is left to serve: patchbay.json says false for stdio; ask for --http or --sse or --ws',
  ],
  [
    'an empty token variable',
    { tokenVariable: '', file: { tokens: [{ token: 'a' }] } },
    'PATCHBAY_TOKEN is set and empty',
  ],
  ['an empty variable of tokens', { tokensVariable: ' , ' }, 'PATCHBAY_TOKENS is set and empty'],
  [
    'a token without a name before it',
    { tokensVariable: 'a:b, :c' },
    'PATCHBAY_TOKENS: the name of a token has',
  ],
  ['one token of two callers', { tokensVariable: 'a:t,b:t' }, 'two callers have the same token: "a" and "b"'],
  [
    'one token of a caller with a name and of one without',
    { tokenVariable: 't', tokensVariable: 'a:t' },
    'two callers have the same token: one without a name and "a"',
  ],
  [
    'a session time where nothing listens',
    { flags: { transports: ['stdio'], sessionTtl: 5 } },
    '--session-ttl goes with --http',
  ],
  [
    'a terminal, without HTTP',
    { file: { excluded: ['stdio', 'http'] } },
    'nothing is left to serve: patchbay.json says false for stdio, http; ask for --sse or --ws',
  ],
  [
    'an address, without HTTP',
    { isPiped: true, file: { excluded: ['http'], port: 1 } },
    'nothing is left to serve: patchbay.json says false for http; ask for --stdio or --sse or --ws',
  ],
  [
    'nothing at all',
    { isPiped: true, file: { excluded: ['stdio', 'http', 'sse', 'ws'] } },
    'nothing is left to serve: patchbay.json says false for stdio, http, sse, ws; set one of them to true',
  ],
  [
    'a token variable that no header can carry',
    { tokenVariable: 'a b' },
    'PATCHBAY_TOKEN expects a token of',
  ],
  [
    'HTTP+SSE with revisions that have no handshake',
    { flags: { transports: ['sse'], revisions: ['2026-07-28'] } },
    '--sse needs a revision that opens with a handshake (2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25)',
  ],
])('%s is refused', (_name, said, message) => {
  expect(() => plan(said)).toThrow(message)
})

test('the host that is listened on is printed before all else', () => {
  const file = { host: 'notes.test' }
  expect(hostToListenOn({ ...NOTHING, file })).toBe('notes.test')
  expect(hostToListenOn({ ...NOTHING, file, flags: { transports: ['stdio'] } })).toBeUndefined()
})

test('an authorization server replaces our own token', () => {
  const authorization = {
    resource: 'https://a.test/mcp',
    authorizationServers: [{ issuer: 'https://b.test' }],
  }
  const file = { authorization }
  const { network } = plan({ flags: { host: '0.0.0.0' }, file })
  expect(network).toMatchObject({ host: '0.0.0.0', tokens: [], authorization })
  expect(() => plan({ file, tokenVariable: 'token' })).toThrow('not both: leave out the tokens')
})
