import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { PlainFileSecretStore } from './secret-files.ts'
import { profileFiles } from './profile-files.ts'
import type { SecretStore } from './secret-store.ts'
import { chooseSecretStore } from './choose-secret-store.ts'
import type { ServerDraft } from './server-target.ts'
import type { ServerEntry } from '../workspace/server-entries.ts'
import { approvalDetails } from '../host/servers/approval-details.ts'
import { KEPT_VALUE } from './secret-fields.ts'
import { ServerStore } from './server-store.ts'

async function setUp() {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-store-'))
  const file = path.join(folder, 'patchbay.json')
  const approvalsFile = path.join(folder, 'approvals.json')
  const ignore = (): void => undefined
  const secretStore = new PlainFileSecretStore(path.join(folder, 'secrets.json'), ignore)
  const open = (at = file): ServerStore =>
    new ServerStore({ file: at, approvalsFile, secretStore, folder, onSetAside: ignore })
  return { folder, file, approvalsFile, secretStore, open, store: open() }
}

const stdio: ServerDraft = {
  name: 'fs',
  target: {
    transport: 'stdio',
    command: 'node',
    args: ['server.js', '--root', '/data'],
    cwd: 'sub',
    env: [
      { name: 'MODE', value: 'fast' },
      { name: 'API_KEY', value: 'env-secret-1' },
    ],
  },
}
const http: ServerDraft = {
  name: 'remote',
  target: {
    transport: 'http',
    url: 'https://a.example/mcp',
    headers: [
      { name: 'X-Team', value: 'blue' },
      { name: 'X-Api-Key', value: 'header-secret-1' },
    ],
  },
  bearerToken: 'bearer-secret-1',
}

async function approved(store: ServerStore, draft: ServerDraft): Promise<string> {
  const id = await store.add(draft, 'user')
  await store.approve(id, (await store.get(id)).hash)
  expect((await store.get(id)).approval).toBe('approved')
  return id
}

describe('an approval', () => {
  it('is needed for whatever is new, however it came', async () => {
    const { store } = await setUp()
    for (const origin of ['user', 'imported'] as const) {
      const id = await store.add(stdio, origin)
      expect((await store.get(id)).approval).toBe('needed')
    }
  })

  it('needs the hash of what was shown', async () => {
    const { store } = await setUp()
    const id = await store.add(stdio, 'user')
    const { hash } = await store.get(id)
    await store.update(id, {
      ...stdio,
      target: { ...stdio.target, command: 'deno' } as ServerDraft['target'],
    })
    await expect(store.approve(id, hash)).rejects.toMatchObject({ code: 'APPROVAL_OUTDATED' })
    expect((await store.get(id)).approval).toBe('needed')
  })

  it('is void after a change of one byte in the file by another program, and good again when it is undone', async () => {
    const { file, store } = await setUp()
    const id = await approved(store, stdio)
    const before = await readFile(file, 'utf8')
    const changes: [string, string][] = [
      ['"node"', '"nodf"'],
      ['server.js', 'server.jt'],
      ['/data', '/date'],
      ['"sub"', '"sua"'],
      ['fast', 'fasu'],
      ['MODE', 'MODF'],
    ]
    for (const [from, to] of changes) {
      expect(before).toContain(from)
      await writeFile(file, before.replace(from, to))
      expect([to, (await store.get(id)).approval]).toEqual([to, 'changed'])
    }
    await writeFile(file, before.replace('"fs"', '"other name"'))
    expect((await store.get(id)).approval).toBe('approved')
  })

  it('goes over to what its user chooses about speaking with it, and to nothing that another program chooses', async () => {
    const { file, store } = await setUp()
    const id = await approved(store, http)
    const declaration = { identity: { name: 'x', version: '1' }, capabilities: { roots: {} } }
    await store.choose(
      id,
      (entry) => ({ ...entry, transport: 'sse', protocol: '2024-11-05', declaration }) as ServerEntry,
    )
    const chosen = await store.get(id)
    expect(chosen).toMatchObject({
      approval: 'approved',
      target: { transport: 'sse', protocol: '2024-11-05', declaration, bearerToken: 'bearer-secret-1' },
    })
    const text = await readFile(file, 'utf8')
    for (const [from, to] of [
      ['"sse"', '"auto"'],
      ['2024-11-05', '2025-11-25'],
      ['"roots": {}', '"sampling": {}'],
    ] as const) {
      expect(text).toContain(from)
      await writeFile(file, text.replace(from, to))
      expect([to, (await store.get(id)).approval]).toEqual([to, 'changed'])
      // A choice does not approve an unapproved server.
      await store.choose(id, (entry) => ({ ...entry, protocol: '2025-06-18' }))
      expect([to, (await store.get(id)).approval]).toEqual([to, 'changed'])
    }
  })

  it('is void after a change of a secret value', async () => {
    const { store } = await setUp()
    const id = await approved(store, http)
    await store.update(id, { ...http, bearerToken: 'bearer-secret-2' })
    expect((await store.get(id)).approval).toBe('changed')
    await store.update(id, http)
    expect((await store.get(id)).approval).toBe('approved')
  })

  it('cannot be brought along by data', async () => {
    const { file, approvalsFile, store } = await setUp()
    const id = await approved(store, stdio)
    const approvals = await readFile(approvalsFile, 'utf8')
    const { hash } = await store.get(id)
    const { servers } = JSON.parse(await readFile(file, 'utf8')) as { servers: object[] }
    const imported = { ...servers[0], id: 'other', approval: { hash, at: 1 }, approved: true, hash }
    const content = { version: 1, servers: [imported], approvals: { [`other@${file}`]: { hash, at: 1 } } }
    await writeFile(file, JSON.stringify(content))
    expect((await store.get('other')).approval).toBe('needed')
    expect(await readFile(approvalsFile, 'utf8')).toBe(approvals)
  })

  it('of one workspace says nothing about another', async () => {
    const { folder, file, store, open } = await setUp()
    const id = await approved(store, {
      ...stdio,
      target: { ...stdio.target, env: [] } as ServerDraft['target'],
    })
    const elsewhere = path.join(folder, 'elsewhere.json')
    await writeFile(elsewhere, await readFile(file))
    expect((await open(elsewhere).get(id)).approval).toBe('needed')
  })

  it('shows everything, whole', async () => {
    const { folder, store } = await setUp()
    const long = 'x'.repeat(5_000)
    const id = await store.add(
      {
        name: 'long',
        target: {
          transport: 'stdio',
          command: process.execPath,
          args: [long],
          env: [
            { name: 'NODE_OPTIONS', value: '--require=/tmp/evil.js' },
            { name: 'LD_PRELOAD', value: 'x' },
            { name: 'PATH', value: '/x' },
            { name: 'A', value: long },
            { name: 'GIT_CONFIG_KEY_0', value: 'core.sshCommand' },
            { name: 'API_KEY', value: 'secret' },
          ],
        },
      },
      'imported',
    )
    const details = await approvalDetails(await store.get(id))
    expect(details).toMatchObject({
      resolvesTo: process.execPath,
      loadsCode: ['NODE_OPTIONS', 'LD_PRELOAD', 'PATH', 'GIT_CONFIG_KEY_0'],
      warnings: [
        'NODE_OPTIONS makes Node load modules that the command does not name.',
        'LD_PRELOAD makes the loader of the system put other libraries into the program.',
        'PATH decides which programs are found and run.',
        'GIT_CONFIG_KEY_0 decides which programs git runs.',
      ],
    })
    expect(details.target).toMatchObject({
      args: [long],
      cwd: folder,
      env: [
        { name: 'NODE_OPTIONS' },
        {},
        {},
        { value: long },
        { value: 'core.sshCommand' },
        { value: KEPT_VALUE, kept: true },
      ],
    })
    expect(details.inherited).toContain('HOME')
    expect(details.inherited).not.toContain('PATH')
  })
})

describe('a secret', () => {
  it('is in no file of the workspace and in nothing that leaves the host', async () => {
    const { file, approvalsFile, store } = await setUp()
    const id = await approved(store, http)
    const local = await approved(store, stdio)
    const outside = [
      await readFile(file, 'utf8'),
      await readFile(approvalsFile, 'utf8'),
      JSON.stringify(await store.draft(id)),
      JSON.stringify(await approvalDetails(await store.get(id))),
      JSON.stringify(await store.draft(local)),
      JSON.stringify(await approvalDetails(await store.get(local))),
    ].join('\n')
    expect(outside).not.toMatch(/(header|bearer|env)-secret/)
    expect((await store.get(id)).target).toMatchObject({
      headers: [{ value: 'blue' }, { value: 'header-secret-1' }],
      bearerToken: 'bearer-secret-1',
    })
    expect((await store.get(local)).target).toMatchObject({
      env: [{ value: 'fast' }, { value: 'env-secret-1' }],
    })
  })

  it('stays as it is when an editor gives back what it was shown', async () => {
    const { store } = await setUp()
    const id = await approved(store, http)
    const { hasBearerToken, ...shown } = await store.draft(id)
    expect(hasBearerToken).toBe(true)
    expect(shown.target).toMatchObject({
      headers: [{ value: 'blue' }, { name: 'X-Api-Key', value: KEPT_VALUE, kept: true }],
    })
    await store.update(id, { ...shown, name: 'renamed' })
    expect(await store.get(id)).toMatchObject({ approval: 'approved', entry: { name: 'renamed' } })
    await store.update(id, { ...shown, bearerToken: '' })
    expect((await store.get(id)).target).not.toHaveProperty('bearerToken')
    const local = await approved(store, stdio)
    const { hasBearerToken: _none, ...variables } = await store.draft(local)
    expect(variables.target).toMatchObject({
      env: [{ value: 'fast' }, { name: 'API_KEY', value: KEPT_VALUE, kept: true }],
    })
    await store.update(local, variables)
    expect(await store.get(local)).toMatchObject({
      approval: 'approved',
      target: { env: [{ value: 'fast' }, { value: 'env-secret-1' }] },
    })
  })

  it('goes with its server and comes back with it, approval included', async () => {
    const { folder, store } = await setUp()
    const first = await approved(store, stdio)
    const id = await approved(store, http)
    await store.remove(first)
    await store.remove(id)
    expect(await store.list()).toEqual([])
    expect(await readFile(path.join(folder, 'secrets.json'), 'utf8')).not.toContain('secret-1')
    await store.restore(id)
    await store.restore(first)
    expect((await store.list()).map(({ entry, approval }) => [entry.name, approval])).toEqual([
      ['fs', 'approved'],
      ['remote', 'approved'],
    ])
    expect((await store.get(id)).target).toMatchObject({ bearerToken: 'bearer-secret-1' })
    await expect(store.restore(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('of another workspace is not to be had by an entry with the same id', async () => {
    const { folder, file, store, open } = await setUp()
    const id = await approved(store, http)
    const elsewhere = path.join(folder, 'elsewhere.json')
    await writeFile(elsewhere, (await readFile(file, 'utf8')).replace('a.example', 'evil.example'))
    expect(JSON.stringify((await open(elsewhere).get(id)).target)).not.toContain('secret-1')
  })
})

describe('a change that is cut short', () => {
  /** A secret store whose nth change, and every later one, does not happen any more. */
  function dying(store: SecretStore, nth: number): SecretStore & { died: () => boolean } {
    let changes = 0
    const orDie = async (change: () => Promise<void>): Promise<void> => {
      changes += 1
      if (changes >= nth) throw new Error('killed')
      await change()
    }
    return {
      description: store.description,
      encrypted: store.encrypted,
      get: (key) => store.get(key),
      set: (key, value) => orDie(() => store.set(key, value)),
      delete: (key) => orDie(() => store.delete(key)),
      died: () => changes >= nth,
    }
  }

  const changed: ServerDraft = {
    ...http,
    target: {
      transport: 'http',
      url: 'https://b.example/mcp',
      headers: [{ name: 'X-Api-Key', value: 'header-secret-2' }],
    },
    bearerToken: 'bearer-secret-2',
  }

  it('leaves the old server whole or the new one, and nothing of the other after the next start', async () => {
    for (let nth = 1; ; nth += 1) {
      const { folder, file, approvalsFile, secretStore, store, open } = await setUp()
      const id = await approved(store, http)
      const dyingStore = dying(secretStore, nth)
      const cut = new ServerStore({
        file,
        approvalsFile,
        secretStore: dyingStore,
        folder,
        onSetAside: () => undefined,
      })
      const outcome = await cut.update(id, changed).then(
        () => 'done',
        () => 'killed',
      )
      await open().settle()
      const { target, approval } = await open().get(id)
      const isOld = target.transport === 'http' && target.url === 'https://a.example/mcp'
      const version = isOld ? 1 : 2
      expect(approval).toBe(isOld ? 'approved' : 'changed')
      expect(target).toMatchObject({ bearerToken: `bearer-secret-${version}` })
      expect(JSON.stringify(target)).toContain(`header-secret-${version}`)
      const kept = await readFile(path.join(folder, 'secrets.json'), 'utf8')
      expect(kept).toContain(`bearer-secret-${version}`)
      expect(kept).not.toContain(`secret-${3 - version}`)
      expect(await readFile(approvalsFile, 'utf8')).not.toContain('unsettled')
      if (outcome === 'done') {
        expect([dyingStore.died(), nth]).toEqual([false, 5])
        break
      }
    }
  })

  it('leaves no secret of a removed server after the next start', async () => {
    const { folder, file, approvalsFile, secretStore, store, open } = await setUp()
    const id = await approved(store, http)
    const other = await approved(store, stdio)
    const dyingStore = dying(secretStore, 1)
    const cut = new ServerStore({
      file,
      approvalsFile,
      secretStore: dyingStore,
      folder,
      onSetAside: () => undefined,
    })
    await expect(cut.remove(id)).rejects.toThrow('killed')
    expect((await open().list()).map(({ entry }) => entry.id)).toEqual([other])
    await open().settle()
    const kept = await readFile(path.join(folder, 'secrets.json'), 'utf8')
    expect(kept).not.toMatch(/(header|bearer)-secret/)
    expect((await open().get(other)).approval).toBe('approved')
  })
})

it('shows an entry whose secrets are locked, and starts, approves and changes nothing of it', async () => {
  const { folder, file, approvalsFile } = await setUp()
  const files = { ...profileFiles(folder), approvals: approvalsFile }
  const cipher = {
    encrypt: (text: string) => Promise.resolve(Buffer.from(text)),
    decrypt: (bytes: Uint8Array) =>
      Promise.resolve({ text: Buffer.from(bytes).toString(), shouldReEncrypt: false }),
  }
  const ignore = (): void => undefined
  const open = async (given?: typeof cipher): Promise<ServerStore> => {
    const { store } = await chooseSecretStore(files, given, ignore)
    return new ServerStore({ file, approvalsFile, secretStore: store, folder, onSetAside: ignore })
  }
  const id = await approved(await open(cipher), http)
  const store = await open()
  await store.settle()
  expect(await store.list()).toMatchObject([
    { entry: { id }, approval: 'approved', locked: { code: 'key-chain-locked' } },
  ])
  expect(await store.draft(id)).toMatchObject({ hasBearerToken: true })
  const attempts = [
    () => store.get(id),
    () => store.update(id, http),
    () => store.remove(id),
    () => store.approve(id, 'x'),
  ]
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'key-chain-locked' })
  expect((await (await open(cipher)).get(id)).approval).toBe('approved')
})

it.each<[string, ServerDraft['target']]>([
  ['no address', { transport: 'http', url: 'nonsense', headers: [] }],
  ['an address of another transport', { transport: 'sse', url: 'ws://a.example/ws', headers: [] }],
  ['a WebSocket without one', { transport: 'websocket', url: 'https://a.example/ws', headers: [] }],
  ['an address of a file', { transport: 'http', url: 'file:///etc/passwd', headers: [] }],
  ['an address with a password', { transport: 'http', url: 'https://me:pw@a.example/mcp', headers: [] }],
  [
    'a header that is not a header',
    { transport: 'http', url: 'https://a.example', headers: [{ name: 'a b', value: '' }] },
  ],
  [
    'a header that breaks the line',
    { transport: 'http', url: 'https://a.example', headers: [{ name: 'X', value: 'a\r\nHost: b' }] },
  ],
  ['a variable with =', { transport: 'stdio', command: 'a', args: [], env: [{ name: 'A=B', value: '' }] }],
  [
    'a variable twice',
    {
      transport: 'stdio',
      command: 'a',
      args: [],
      env: [
        { name: 'A', value: '' },
        { name: 'A', value: '1' },
      ],
    },
  ],
  ['a NUL in an argument', { transport: 'stdio', command: 'a', args: ['\0'], env: [] }],
])('refuses %s and says what is wrong', async (_what, target) => {
  const { store } = await setUp()
  await expect(store.add({ name: 'x', target }, 'user')).rejects.toMatchObject({ code: 'INVALID_ENTRY' })
  expect(await store.list()).toEqual([])
})
