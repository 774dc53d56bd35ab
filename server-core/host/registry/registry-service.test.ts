import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from '../../client/connect.ts'
import { httpTransport } from '../../transports/http/http-client.ts'
import { replaceFile } from '../../workspace/atomic-file.ts'
import type { RegistryState } from '../contract/registry.ts'
import { startTestHost, watchUntil, type TestHost } from '../host.test-support.ts'

const SAYS = (text: string) =>
  `import { tool } from 'patchbay'\nexport default tool({ description: '${text}', run: () => '${text}' })\n`

let test: TestHost
let folder: string
let streams = 0
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-opened-'))
  await mkdir(path.join(folder, 'tools'))
  await writeFile(path.join(folder, 'tools', 'say.ts'), SAYS('one'))
  const faults = { rules: [{ id: 'theirs', kind: 'delay', where: { tool: 'nobody' } }] }
  await writeFile(path.join(folder, 'patchbay.json'), JSON.stringify({ version: 1, servers: [], faults }))
  test = await startTestHost()
})
afterAll(() => test.close())

/** The next published state that matches. */
async function until(fits: (state: RegistryState) => boolean): Promise<RegistryState> {
  let found: RegistryState | undefined
  await watchUntil(
    test.client,
    ({ registry }) => {
      if (registry !== undefined && fits(registry)) found = registry
      return found !== undefined
    },
    `registry-${(streams += 1)}`,
  )
  if (found === undefined) throw new Error('the watch ended')
  return found
}

it('opens a folder, runs nothing of it before it is trusted, then serves and follows it', async () => {
  const { registry } = test.client
  expect(await registry.state()).toMatchObject({
    workspace: { isDefault: true },
    trust: 'trusted',
    entries: [],
  })
  await expect(registry.openWorkspace({ folder: '/nowhere/at/all' })).rejects.toMatchObject({
    code: 'NO_FOLDER',
  })
  const asked = await registry.openWorkspace({ folder })
  expect(asked).toMatchObject({
    workspace: { folder, isDefault: false },
    trust: 'asked',
    wouldRun: [{ file: 'tools/say.ts', bytes: SAYS('one').length }],
    entries: [],
    scripts: [],
  })
  await expect(registry.amend({ key: 'tool:say', amendment: {} })).rejects.toMatchObject({
    code: 'NOT_TRUSTED',
  })
  const { faults } = test.client
  expect(await faults.state()).toMatchObject({ settings: { rules: [] }, active: 0 })
  await expect(faults.save({ settings: (await faults.state()).settings })).rejects.toMatchObject({
    code: 'NOT_TRUSTED',
  })
  await expect(registry.trust({ folder: '/another' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const trusted = await registry.trust({ folder })
  expect(trusted).toMatchObject({
    trust: 'trusted',
    entries: [{ key: 'tool:say', state: 'served', origin: { kind: 'script', file: 'tools/say.ts' } }],
    scripts: [{ file: 'tools/say.ts', state: 'loaded', revision: 1 }],
  })
  expect(await faults.state()).toMatchObject({ settings: { rules: [{ id: 'theirs' }] }, active: 1 })

  const { address = '' } = await test.client.embedded.state()
  const { token } = await test.client.embedded.revealToken()
  const told = Promise.withResolvers<undefined>()
  let isNew = false
  const client = await connect({
    open: () => httpTransport({ url: address, headers: { authorization: `Bearer ${token}` } }),
    identity: { name: 'somebody', version: '1' },
    protocol: '2025-11-25',
    listeners: { listChanged: () => isNew && told.resolve(undefined) },
  })
  await client.request('tools/call', { name: 'say', arguments: {} })
  const seen = await until(
    ({ clients, entries }) => entries[0]?.calls === 1 && clients.some(({ name }) => name === 'somebody'),
  )
  expect(seen.entries[0]).toMatchObject({ lastCaller: { name: 'somebody' }, failures: 0 })
  expect(seen.clients.find(({ name }) => name === 'somebody')).toMatchObject({
    transport: 'http',
    revision: '2025-11-25',
    own: false,
    calls: 1,
  })
  expect(seen.clients.some(({ own }) => own)).toBe(true)
  // The state with the trust is published too, and may still be on its way.
  isNew = true
  // In one step: a file that is empty for a moment would be a revision of its own.
  await replaceFile(path.join(folder, 'tools', 'say.ts'), SAYS('two'), 0o644)
  await told.promise
  await until(({ scripts }) => scripts[0]?.revision === 2)
  const log = await registry.log({ file: 'tools/say.ts' })
  expect(log.lines.map(({ kind }) => kind)).toContain('call')
  expect(await registry.schemaDiff({ key: 'tool:say', from: 1 })).toMatchObject({
    breaking: false,
    changes: [{ part: 'definition', what: 'description is another now' }],
  })
  expect(await registry.revisions({ file: 'tools/say.ts' })).toMatchObject([
    { revision: 2, answers: true },
    { revision: 1, answers: false, text: SAYS('one') },
  ])
  expect(await registry.backTo({ file: 'tools/say.ts', revision: 1 })).toEqual({ written: ['tools/say.ts'] })
  expect(await registry.amend({ key: 'tool:say', amendment: { title: 'Say it' } })).toMatchObject({
    entries: [{ title: 'Say it', amendment: { title: 'Say it' } }],
  })
  expect(await registry.setServing({ serving: false })).toMatchObject({ serving: false })
  await expect(client.listTools()).rejects.toThrow('HTTP 503')
  const file = path.join(folder, 'patchbay.json')
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ serve: { enabled: false }, faults: {} })
  // Our own window stays connected.
  expect((await test.client.servers.list())[0]).toMatchObject({ status: 'connected' })
  await replaceFile(file, JSON.stringify({ version: 1, servers: [], serve: { enabled: true } }), 0o644)
  await until(({ serving }) => serving)
  expect(await registry.setServing({ serving: false })).toMatchObject({ serving: false })
  await registry.setServing({ serving: true })
  expect((await client.listTools()).items).toHaveLength(1)
  await client.close()
}, 60_000)

it('opens the same folder at the next start, still trusted', async () => {
  const { profile } = test
  await test.close()
  test = await startTestHost({ profile })
  expect(await test.client.registry.state()).toMatchObject({
    workspace: { folder },
    trust: 'trusted',
    entries: [{ key: 'tool:say' }],
  })
}, 60_000)

it('follows a folder that is opened by a link to it, in which a link leads nowhere', async () => {
  const { registry } = test.client
  const base = await mkdtemp(path.join(tmpdir(), 'patchbay-linked-'))
  const linked = path.join(base, 'linked')
  await mkdir(path.join(base, 'real', 'tools'), { recursive: true })
  await symlink(path.join(base, 'real'), linked)
  await symlink(path.join(base, 'nowhere.ts'), path.join(base, 'real', 'tools', 'gone.ts'))
  expect(await registry.openWorkspace({ folder: linked })).toMatchObject({
    trust: 'asked',
    wouldRun: [{ file: 'tools/gone.ts', bytes: 0 }],
  })
  await registry.trust({ folder: linked })
  await writeFile(path.join(base, 'real', 'tools', 'late.ts'), SAYS('late'))
  const { scripts } = await until(({ entries }) => entries.some(({ key }) => key === 'tool:late'))
  expect(scripts.find(({ file }) => file === 'tools/late.ts')).toMatchObject({ imports: [] })
}, 60_000)

it('tells pages that a workspace is opening for as long as a script of it takes', async () => {
  const slow = await mkdtemp(path.join(tmpdir(), 'patchbay-slow-'))
  await mkdir(path.join(slow, 'tools'))
  const goOn = path.join(slow, 'go-on')
  const waits = `import { existsSync } from 'node:fs'
const wait = () => new Promise((go) => setTimeout(go, 10))
while (!existsSync(${JSON.stringify(goOn)})) await wait()
`
  await writeFile(path.join(slow, 'tools', 'say.ts'), waits + SAYS('late'))
  await test.client.registry.openWorkspace({ folder: slow })
  const trusting = test.client.registry.trust({ folder: slow })
  expect(await until(({ opening }) => opening)).toMatchObject({ trust: 'trusted', entries: [] })
  // What is switched meanwhile is switched in the folder that is being opened.
  const switching = test.client.registry.setServing({ serving: false })
  await writeFile(goOn, '')
  expect(await trusting).toMatchObject({ opening: false, entries: [{ key: 'tool:say' }] })
  expect(await switching).toMatchObject({ serving: false })
  expect(JSON.parse(await readFile(path.join(slow, 'patchbay.json'), 'utf8'))).toMatchObject({
    serve: { enabled: false },
  })
})

it('logs nothing of the workspace before while the next one opens', async () => {
  const { registry } = test.client
  const folders = await Promise.all(
    ['before', 'after'].map(async (name) => {
      const made = await mkdtemp(path.join(tmpdir(), `patchbay-${name}-`))
      await mkdir(path.join(made, 'tools'))
      return made
    }),
  )
  const [before = '', after = ''] = folders
  const goOn = path.join(after, 'go-on')
  const prints = `import { tool } from 'patchbay'
let printed = 0
export default tool({ description: 'Prints for ever.', run: () => {
  setInterval(() => console.log(String(printed += 1)), 20)
  return 'prints'
} })
`
  const waits = `import { existsSync } from 'node:fs'
const wait = () => new Promise((go) => setTimeout(go, 10))
while (!existsSync(${JSON.stringify(goOn)})) await wait()
`
  await writeFile(path.join(before, 'tools', 'print.ts'), prints)
  await writeFile(path.join(after, 'tools', 'say.ts'), waits + SAYS('late'))
  await writeFile(goOn, '')
  for (const folder of [after, before]) {
    await registry.openWorkspace({ folder })
    await registry.trust({ folder })
  }
  await rm(goOn)
  const [app] = await test.client.servers.list()
  await test.client.inspect.request({
    callId: 'print',
    serverId: app?.id ?? '',
    method: 'tools/call',
    paramsText: JSON.stringify({ name: 'print', arguments: {} }),
  })

  let opening: Promise<RegistryState> | undefined
  let shown = 0
  const late: number[] = []
  await watchUntil(
    test.client,
    ({ registry: state, scriptLog }) => {
      shown = state?.workspace.generation ?? shown
      if (scriptLog !== undefined && scriptLog.generation < shown) late.push(scriptLog.generation)
      // It prints: the next folder is opened beside it.
      if (scriptLog !== undefined) {
        opening ??= registry.openWorkspace({ folder: after })
      }
      const isShown = state?.workspace.folder === after
      if (isShown && state.opening) setTimeout(() => void writeFile(goOn, ''), 200)
      return isShown && !state.opening
    },
    'switching',
  )
  const { workspace } = (await opening) ?? {}
  expect(late).toEqual([])
  const { generation, lines } = await registry.log({})
  expect(generation).toBe(workspace?.generation)
  expect(new Set(lines.map(({ file }) => file))).toEqual(new Set(['tools/say.ts']))
}, 120_000)
