import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PlainFileSecretStore } from '../../server-core/profile/secret-files.ts'
import { profileFiles } from '../../server-core/profile/profile-files.ts'
import { startTestHost, watchUntil, type TestHost } from '../../server-core/host/host.test-support.ts'
import { copyOldFiles, type OldFiles } from './old-files.ts'

let files: OldFiles
let host: TestHost

beforeAll(async () => {
  files = await copyOldFiles()
  const { profile, workspace } = files
  const secrets = new PlainFileSecretStore(profileFiles(profile).secrets, () => undefined)
  host = await startTestHost({ profile, workspace, secretStore: () => secrets })
  await watchUntil(host.client, ({ registry }) => (registry?.entries.length ?? 0) >= 4, 'compatibility')
})
afterAll(async () => {
  await host.close()
  await rm(files.root, { recursive: true, force: true })
})

it('lists the stored servers with their approvals', async () => {
  const servers = await host.client.servers.list()
  expect(servers.map(({ name, approval }) => [name, approval])).toEqual([
    ['This app', 'approved'],
    ['stdio server', 'approved'],
    ['http server', 'approved'],
    ['declared', 'approved'],
    ['not approved', 'needed'],
  ])
  expect(servers[1]?.chosen.protocol).toBe('2025-11-25')
  expect(servers[3]?.declaration).toMatchObject({ identity: { name: 'other', version: '9' }, isChosen: true })
})

it('starts an approved command without asking again, and finds its secrets', async () => {
  const server = (await host.client.servers.list()).find(({ name }) => name === 'stdio server')
  const id = server?.id ?? ''
  const draft = await host.client.servers.draft({ id })
  expect(draft.target).toMatchObject({
    transport: 'stdio',
    env: [
      { name: 'API_KEY', kept: true },
      { name: 'LEVEL', value: 'debug' },
    ],
  })
  // The command ends at once, so the connection fails; it was started.
  expect(await host.client.servers.connect({ id })).toMatchObject({ status: 'failed', approval: 'approved' })
  const stored = await readFile(profileFiles(files.profile).secrets, 'utf8')
  for (const secret of ['key', 'header', 'token', 'model-key']) {
    expect(stored).toContain(`${secret}-of-the-fixture`)
  }
})

it('opens the trusted workspace with scripts, mounts, mocks, overrides, amendments and faults', async () => {
  const registry = await host.client.registry.state()
  expect(registry.trust).toBe('trusted')
  expect(registry.faults).toEqual([])
  const names = registry.entries.map(({ shownName }) => shownName)
  expect(names).toEqual(expect.arrayContaining(['greet', 'weather', 'mem://one']))
  expect(names.some((name) => /^m[._]ping$/.test(name))).toBe(true)
  expect(registry.entries.find(({ key }) => key === 'tool:greet')).toMatchObject({ state: 'overridden' })
  expect(registry.entries.find(({ key }) => key === 'resource:mem://one')).toMatchObject({ state: 'off' })
  expect(await host.client.faults.state()).toMatchObject({ settings: { seed: 7, rules: [{ id: 'r1' }] } })
  const called = await host.client.inspect.request({
    serverId: 'this-app',
    callId: 'one',
    method: 'tools/call',
    paramsText: '{"name":"greet","arguments":{"name":"Ada"}}',
  })
  expect(called).toMatchObject({ type: 'result' })
  expect(JSON.stringify(called)).toContain('overridden')
})

it('reads settings, responders, model endpoints and drafts', async () => {
  const { client } = host
  expect(await client.app.settings()).toMatchObject({
    theme: 'dark',
    layout: { 'inspector/columns': [20, 30, 50] },
  })
  const { own } = await client.responders.settings({})
  expect(own).toMatchObject({
    rules: { sampling: { kind: 'wait', ms: 5 }, 'elicitation-form': { kind: 'script' } },
    limits: { openQuestions: 7 },
  })
  expect(await client.responders.endpoints()).toMatchObject([{ endpoint: { id: 'local' }, hasKey: true }])
  expect(await client.editor.drafts()).toMatchObject([{ file: 'tools/greet.ts', text: '// a draft\n' }])
})

it('asks again, with the reason, for a responder script whose approval covers less than it runs', async () => {
  const file = path.join(files.workspace, 'responder.mjs')
  const script = await host.client.responders.script({ file })
  expect(script).toMatchObject({ state: 'readable', approval: 'file-only' })
})

it('keeps members of patchbay.json that it does not know when it saves', async () => {
  const { client } = host
  await client.registry.amend({ key: 'tool:weather', amendment: { enabled: false } })
  const document: unknown = JSON.parse(await readFile(path.join(files.workspace, 'patchbay.json'), 'utf8'))
  expect(document).toMatchObject({
    version: 1,
    unknownMember: { kept: true },
    serve: { logLevel: 'warning' },
    proxy: { servers: { one: { server: 'stdio server' } } },
    composition: { mounts: [{ folder: '../mounted', prefix: 'm' }] },
  })
})
