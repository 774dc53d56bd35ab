import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { TrustStore } from '../../../profile/trust-store.ts'
import { UsageError } from '../../output/exit-code.ts'
import type { ServingCommand } from './file-members.ts'
import { serveFlagsOf } from '../serve-options.ts'
import { readServing } from '../serving.ts'

let base = ''
let profile = ''
let place = ''
/** What the log writes. */
const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)

beforeAll(async () => {
  base = await realpath(await mkdtemp(path.join(os.tmpdir(), 'patchbay-file-trust-')))
  profile = path.join(base, 'profile')
  place = process.cwd()
  vi.stubEnv('PATCHBAY_INTROSPECTION_SECRET', 'of-the-user')
})
afterAll(async () => {
  process.chdir(place)
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await rm(base, { recursive: true, force: true })
})

const authorization = {
  resource: 'http://127.0.0.1/mcp',
  authorizationServers: [{ issuer: 'https://login.test', introspection: { clientId: 'x' } }],
}

/** A value for every member that a `patchbay.json` can set for `serve` and `proxy`. */
const WIDENING: readonly [string, Readonly<Record<string, unknown>>][] = [
  ['serve.stdio', { serve: { stdio: true } }],
  ['serve.http', { serve: { http: true } }],
  ['serve.sse', { serve: { sse: true } }],
  ['serve.ws', { serve: { ws: true } }],
  ['serve.all', { serve: { all: true } }],
  ['serve.host', { serve: { host: '::1' } }],
  ['serve.port', { serve: { port: 47_611 } }],
  ['serve.token', { serve: { token: 'known' } }],
  ['serve.tokens', { serve: { tokens: { ann: 'known' } } }],
  ['serve.sessionTtl', { serve: { sessionTtl: 60 } }],
  ['serve.allowHost', { serve: { allowHost: ['evil.example'] } }],
  ['serve.allowOrigin', { serve: { allowOrigin: ['https://evil.example'] } }],
  ['serve.authorization', { serve: { authorization } }],
  ['serve.record', { serve: { record: 'notes.jsonl' } }],
  ['faults', { faults: { rules: [{ id: 'gone', kind: 'close' }] } }],
]
const OF_PROXY: readonly [string, Readonly<Record<string, unknown>>][] = [
  ['proxy.servers', { proxy: { servers: { a: { server: 'b', rename: { read: 'write' } } } } }],
  ['proxy.pageItems', { proxy: { pageItems: 1 } }],
]
const RESTRICTING: readonly Readonly<Record<string, unknown>>[] = [
  { stdio: false },
  { http: false },
  { sse: false },
  { ws: false },
  { all: false },
  { enabled: false },
  { revision: '2025-11-25' },
  { logLevel: 'error' },
]

const CASES = [
  ...WIDENING.flatMap(([member, document]) =>
    (['serve', 'proxy'] as const).map((command) => ({ member, document, command })),
  ),
  ...OF_PROXY.map(([member, document]) => ({ member, document, command: 'proxy' as const })),
]

/** Makes a folder of its own with a `patchbay.json`. */
async function folderWith(document: unknown): Promise<string> {
  const folder = await mkdtemp(path.join(base, 'folder-'))
  await writeFile(path.join(folder, 'patchbay.json'), JSON.stringify({ version: 1, ...Object(document) }))
  return folder
}

const read = (command: ServingCommand, flags: Parameters<typeof serveFlagsOf>[0] = {}) =>
  readServing(serveFlagsOf({ profile, ...flags }), command)

test.each(CASES)('$member of $command needs trust in its folder', async ({ member, document, command }) => {
  const folder = await folderWith(document)
  process.chdir(folder)
  const refusal: unknown = await read(command).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(UsageError)
  expect(String(refusal)).toContain(`${path.join(folder, 'patchbay.json')} sets ${member}, but its folder is`)
  expect(String(refusal)).toContain(`patchbay ${command} --trust`)

  await expect(read(command, { trust: true })).resolves.toBeDefined()
  await new TrustStore(path.join(profile, 'trust.json'), 'leave').trust(folder)
  await expect(read(command)).resolves.toBeDefined()

  process.chdir(base)
  const named = await folderWith(document)
  await expect(read(command, { workspace: named })).resolves.toBeDefined()
})

test.each(['serve', 'proxy'] as const)(
  '%s of an untrusted folder is restricted by its file',
  async (command) => {
    for (const serve of RESTRICTING) {
      process.chdir(await folderWith({ serve }))
      await expect(read(command, { ws: true, stdio: true, http: true })).resolves.toBeDefined()
    }
    process.chdir(await folderWith({ serve: { revision: '2025-11-25', logLevel: 'error' } }))
    const { plan } = await read(command, { http: true })
    expect(plan).toMatchObject({ revisions: ['2025-11-25'], logLevel: 'error', record: undefined })
    expect(plan.network).toMatchObject({ host: '127.0.0.1', port: 0, allowedHosts: [], allowedOrigins: [] })
  },
)

test('a file that takes transports away opens no other one where its folder is untrusted', async () => {
  for (const serve of RESTRICTING) {
    process.chdir(base)
    const { plan } = await read('serve')
    process.chdir(await folderWith({ serve }))
    const restricted = await read('serve').catch((error: unknown) => error)
    if (restricted instanceof UsageError) expect(restricted.message).toContain('nothing is left to serve')
    else expect(restricted).toMatchObject({ plan: { stdio: plan.stdio, network: plan.network } })
  }
})

test('the members that a file sets are logged with its path, whatever log level it sets', async () => {
  const folder = await folderWith({ serve: { logLevel: 'error', port: 0 }, faults: { rules: [] }, proxy: {} })
  written.mockClear()
  await read('serve', { workspace: folder })
  expect(written.mock.calls.flat()).toContain(
    `patchbay: info: ${path.join(folder, 'patchbay.json')} sets serve.logLevel, serve.port, faults\n`,
  )
})

test('unknown members need trust too; members of other commands do not', async () => {
  process.chdir(await folderWith({ serve: { allowOrigins: '*' } }))
  await expect(read('serve')).rejects.toThrow('sets serve.allowOrigins, but its folder is not trusted')
  process.chdir(await folderWith({ servers: [], proxy: { servers: {} }, theme: 'dark' }))
  await expect(read('serve')).resolves.toBeDefined()
})
