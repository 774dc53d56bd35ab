import { describe, expect, test } from 'vitest'
import type { ServeOptions } from './serve-options.ts'
import { hostToListenOn, planServe, type Said } from './serve-plan.ts'

const NOTHING: Said = { flags: {}, file: {}, tokenVariable: undefined, isPiped: false }
const plan = (said: Partial<Said>) => planServe({ ...NOTHING, ...said })

describe('which transports are served', () => {
  test.each<[string, Partial<Said>, { stdio: boolean; routes: string }]>([
    ['a terminal and nothing said', {}, { stdio: false, routes: 'mcp' }],
    ['a pipe and nothing said', { isPiped: true }, { stdio: true, routes: '' }],
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
    token: 'file',
    allowedHosts: ['file.test'],
    logLevel: 'error',
    revisions: ['2025-11-25'],
  }
  expect(plan({ file })).toMatchObject({
    logLevel: 'error',
    revisions: ['2025-11-25'],
    network: { host: '::1', port: 1, token: 'file', allowedHosts: ['file.test'], allowedOrigins: [] },
  })
  expect(plan({ file, tokenVariable: 'variable' }).network?.token).toBe('variable')
  const flags: ServeOptions = {
    host: 'localhost',
    port: 0,
    token: 'flag',
    logLevel: 'debug',
    revisions: ['2026-07-28'],
  }
  expect(plan({ flags, file, tokenVariable: 'variable' })).toMatchObject({
    logLevel: 'debug',
    revisions: ['2026-07-28'],
    network: { host: 'localhost', port: 0, token: 'flag', allowedHosts: ['file.test'] },
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
    { flags: { transports: ['stdio'], token: 'a' } },
    '--token goes with --http',
  ],
  ['an empty token variable', { tokenVariable: '', file: { token: 'a' } }, 'PATCHBAY_TOKEN is set and empty'],
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

test('the host that is listened on is told before all else', () => {
  const file = { host: 'notes.test' }
  expect(hostToListenOn({ ...NOTHING, file })).toBe('notes.test')
  expect(hostToListenOn({ ...NOTHING, file, flags: { transports: ['stdio'] } })).toBeUndefined()
})

test('what an authorization server vouches for needs no token of ours', () => {
  const authorization = {
    resource: 'https://a.test/mcp',
    authorizationServers: [{ issuer: 'https://b.test' }],
  }
  const file = { authorization }
  const { network } = plan({ flags: { host: '0.0.0.0' }, file })
  expect(network).toMatchObject({ host: '0.0.0.0', token: undefined, authorization })
  expect(() => plan({ file, tokenVariable: 'token' })).toThrow('not both: leave out the token')
})
