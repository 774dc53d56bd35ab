import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SUPPORTED } from '../../../protocol/revisions.ts'
import { readServeFile } from './serve-file.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-serve-file-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const file = () => path.join(folder, 'patchbay.json')

/** Reads the file of a folder that the user named. */
function readNamed(named = folder, isNamed = true): ReturnType<typeof readServeFile> {
  return readServeFile({
    folder: named,
    isNamed,
    command: 'serve',
    isTrusted: () => Promise.resolve(true),
  })
}

async function reading(serve: unknown): ReturnType<typeof readServeFile> {
  await writeFile(file(), JSON.stringify({ version: 1, servers: [], serve }))
  return readNamed()
}

test('holds the same options as the flags', async () => {
  const { options, warnings } = await reading({
    http: true,
    ws: true,
    stdio: false,
    host: '0.0.0.0',
    port: 4040,
    token: 'secret',
    tokens: { ann: 'a1', bob: 'b2' },
    sessionTtl: 600,
    enabled: false,
    allowHost: 'notes.test',
    allowOrigin: ['https://a.test', 'https://b.test'],
    logLevel: 'warning',
    revision: ['2026-07-28', '2025-11-25'],
  })
  expect(warnings).toEqual([])
  expect(options).toEqual({
    transports: ['http', 'ws'],
    host: '0.0.0.0',
    port: 4040,
    tokens: [{ token: 'secret' }, { name: 'ann', token: 'a1' }, { name: 'bob', token: 'b2' }],
    sessionTtl: 600,
    off: true,
    allowedHosts: ['notes.test'],
    allowedOrigins: ['https://a.test', 'https://b.test'],
    logLevel: 'warning',
    revisions: ['2025-11-25', '2026-07-28'],
  })
  expect((await reading({ all: true, revision: '2025-11-25' })).options).toEqual({
    transports: ['stdio', 'http', 'sse', 'ws'],
    revisions: ['2025-11-25'],
  })
})

test('holds whose access tokens are taken; what it leaves out of them is in a variable', async () => {
  const introspection = { clientId: 'notes' }
  const authorization = {
    resource: 'https://notes.test/mcp',
    authorizationServers: [{ issuer: 'https://login.test' }, { issuer: 'https://other.test', introspection }],
    requiredScopes: { server: ['notes'], tools: { create_note: ['write'] } },
  }
  await expect(reading({ authorization })).rejects.toThrow(
    'serve.authorization.authorizationServers.1.introspection.clientSecret: expected a text, or the variable',
  )
  vi.stubEnv('PATCHBAY_INTROSPECTION_SECRET', 'secret')
  expect((await reading({ authorization })).options.authorization).toEqual({
    ...authorization,
    authorizationServers: [
      { issuer: 'https://login.test' },
      { issuer: 'https://other.test', introspection: { clientId: 'notes', clientSecret: 'secret' } },
    ],
  })
  vi.unstubAllEnvs()
  await expect(reading({ authorization: { resource: 'x', authorisationServers: [] } })).rejects.toThrow(
    /serve\.authorization\.authorizationServers: .*\n.*serve\.authorization: Unrecognized key: "authorisationServers"/,
  )
})

test('says nothing where there is no file, or no such member in it', async () => {
  const empty = { options: {}, warnings: [], sets: [] }
  expect(await readNamed(path.join(folder, 'nowhere'), false)).toEqual(empty)
  expect(await reading(undefined)).toEqual(empty)
})

test('warns of members that nobody knows, by name', async () => {
  const { options, warnings } = await reading({ prot: 1, somethingElse: true, port: 2 })
  expect(options).toEqual({ port: 2 })
  expect(warnings).toEqual([
    `${file()}: serve.prot is not known and is ignored; did you mean serve.port?`,
    expect.stringContaining(`${file()}: serve.somethingElse is not known and is ignored; known are stdio,`),
  ])
})

test('names the file and the path of every fault', async () => {
  const refusal: unknown = await reading({
    port: '4040',
    host: '',
    revision: ['2025-11-25', '2020-01-01'],
    allowOrigin: 'a.test',
  }).catch((error: unknown) => error)
  const lines = String(refusal).split('\n')
  expect(lines[0]).toContain(`${file()} does not say what to serve:`)
  for (const start of [
    'serve.host: ',
    'serve.port: ',
    'serve.revision: 1: ',
    'serve.allowOrigin: expected an origin',
  ])
    expect(
      lines.some((line) => line.trim().startsWith(start)),
      `${start} in\n${String(refusal)}`,
    ).toBe(true)
  await expect(reading('http')).rejects.toThrow(/serve: expected an object, got the text "http"/)
  await expect(reading({ token: 'a b' })).rejects.toThrow('serve.token expects a token of visible ASCII')
  await expect(reading({ tokens: { ann: 'a b' } })).rejects.toThrow(
    'serve.tokens.ann expects a token of visible',
  )
  await expect(reading({ tokens: { 'a b': 'c' } })).rejects.toThrow('serve.tokens: the name of a token has')
  await expect(reading({ sessionTtl: 0 })).rejects.toThrow('serve.sessionTtl: expected')
})

test('says of a member that is missing or of another kind what is expected', async () => {
  const refusal: unknown = await reading({
    http: 'yes',
    port: 70_000,
    host: '',
    revision: [],
    logLevel: 'loud',
    allowOrigin: 5,
    authorization: { authorizationServers: [{}] },
  }).catch((error: unknown) => error)
  expect(String(refusal).split('\n').slice(1)).toEqual([
    '  serve.http: expected true or false, got the text "yes"',
    '  serve.host: expected a text that is not empty, got the text ""',
    '  serve.port: expected 65535 at most, got 70000',
    '  serve.allowOrigin: expected a text, got 5',
    '  serve.logLevel: expected one of debug, info, warning, error, got the text "loud"',
    `  serve.revision: expected one revision at least of ${SUPPORTED.join(', ')}, got none`,
    '  serve.authorization.resource: is missing; expected a text',
    '  serve.authorization.authorizationServers.0.issuer: is missing; expected a text',
  ])
})

test('keeps to a transport that is said to be unwanted', async () => {
  expect((await reading({ http: false, stdio: false })).options).toEqual({ excluded: ['stdio', 'http'] })
  expect((await reading({ all: true, http: false })).options).toEqual({ transports: ['stdio', 'sse', 'ws'] })
})

test('takes host names and addresses without scheme and port', async () => {
  await expect(reading({ allowHost: 'http://notes.test' })).rejects.toThrow(
    `${file()}: serve.allowHost expects the name or address of a host, without scheme and port, got "http://notes.test"`,
  )
  await expect(reading({ host: 'notes.test:80' })).rejects.toThrow('serve.host expects')
})

test('warns of members beside it that are nearly ours', async () => {
  await writeFile(file(), JSON.stringify({ version: 1, server: {}, Serve: {}, $schema: '', theme: 'dark' }))
  expect(await readNamed()).toEqual({
    options: {},
    sets: [],
    warnings: [
      `${file()}: the member "server" is not known and is ignored; did you mean "serve" or "servers"?`,
      `${file()}: the member "Serve" is not known and is ignored; did you mean "serve" or "servers"?`,
    ],
  })
})

test('refuses a file that cannot be read', async () => {
  await writeFile(file(), '{"serve":')
  await expect(readNamed(folder, false)).rejects.toThrow(`${file()} is not valid JSON: `)
  await writeFile(file(), '[]')
  await expect(readNamed(folder, false)).rejects.toThrow(`${file()}: expected an object`)
  await expect(readNamed(path.join(folder, 'nowhere'))).rejects.toThrow(
    /nowhere.* cannot be read: it does not exist/,
  )
})
