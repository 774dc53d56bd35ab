import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PlainFileSecretStore } from '../../profile/secret-files.ts'
import type { ServerDraft } from '../contract/servers.ts'
import { approvalDetails } from './approval-details.ts'
import { KEPT_VALUE, secretsOf } from '../../profile/secret-fields.ts'
import { ServerStore, summaryOf } from '../../profile/server-store.ts'

let folder = ''
let store: ServerStore

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-addresses-'))
  store = new ServerStore({
    file: path.join(folder, 'patchbay.json'),
    approvalsFile: path.join(folder, 'approvals.json'),
    secretStore: new PlainFileSecretStore(path.join(folder, 'secrets.json'), () => undefined),
    folder,
    onSetAside: () => undefined,
  })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const DATABASE = 'postgres://ann:planted-password@db.example/notes'
const local: ServerDraft = {
  name: 'local',
  target: {
    transport: 'stdio',
    command: 'node',
    args: ['server.js'],
    env: [
      { name: 'DATABASE_URL', value: DATABASE },
      { name: 'CALLBACK', value: 'https://h.example/?page=1&token=planted-token' },
      { name: 'MODE', value: 'fast' },
    ],
  },
}
const URL_WITH_KEY = 'https://a.example/mcp?key=planted%20key&team=blue'
const remote: ServerDraft = { name: 'remote', target: { transport: 'http', url: URL_WITH_KEY, headers: [] } }

async function approved(draft: ServerDraft): Promise<string> {
  const id = await store.add(draft, 'imported')
  await store.approve(id, (await store.get(id)).hash)
  return id
}

/** The text of every file but the secret store's. */
async function textOutside(): Promise<string> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('secrets.json'))
  return (await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))).join('\n')
}

test('passwords and keys in addresses are stored with the secrets, and shown to nobody', async () => {
  const [first, second] = [await approved(local), await approved(remote)]
  expect(await textOutside()).not.toContain('planted')
  for (const id of [first, second]) {
    const stored = await store.get(id)
    const shown = JSON.stringify([
      await approvalDetails(stored),
      await store.draft(id),
      summaryOf(stored.target),
    ])
    expect(shown).not.toContain('planted')
  }
  expect((await store.get(first)).target).toMatchObject({ env: [{ value: DATABASE }, {}, { value: 'fast' }] })
  expect((await store.get(second)).target).toMatchObject({ url: URL_WITH_KEY })
  expect(secretsOf((await store.get(first)).target)).toEqual(
    expect.arrayContaining(['planted-password', 'planted-token']),
  )
  expect(secretsOf((await store.get(second)).target)).toContain('planted key')
  await store.remove(first)
  await store.remove(second)
  expect((await readdir(folder)).length).toBeGreaterThan(2)
  const everywhere = await Promise.all(
    (await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')),
  )
  expect(everywhere.join('\n')).not.toContain('planted')
})

test('whoever approves it sees where it leads', async () => {
  const { target } = await approvalDetails(await store.get(await approved(local)))
  expect(target).toMatchObject({
    env: [
      { value: `postgres://ann:${KEPT_VALUE}@db.example/notes`, kept: true },
      { value: `https://h.example/?page=1&token=${KEPT_VALUE}`, kept: true },
      { value: 'fast' },
    ],
  })
  const far = await approvalDetails(await store.get(await approved(remote)))
  expect(far.target).toMatchObject({ url: `https://a.example/mcp?key=${KEPT_VALUE}&team=blue` })
})

test('an editor returns the address as it was shown, or with another key', async () => {
  const id = await approved(remote)
  const { hasBearerToken: _none, ...shown } = await store.draft(id)
  await store.update(id, { ...shown, name: 'renamed' })
  expect(await store.get(id)).toMatchObject({ approval: 'approved', target: { url: URL_WITH_KEY } })

  const to = (url: string): ServerDraft => ({ ...shown, target: { transport: 'http', url, headers: [] } })
  await store.update(id, to(`https://b.example/mcp?team=red&key=${KEPT_VALUE}`))
  const moved = 'https://b.example/mcp?team=red&key=planted%20key'
  expect(await store.get(id)).toMatchObject({ approval: 'changed', target: { url: moved } })
  await expect(store.update(id, to(`https://b.example/?token=${KEPT_VALUE}`))).rejects.toMatchObject({
    code: 'INVALID_ENTRY',
    message: 'A hidden parameter of the address is not stored. Enter it again.',
  })
  await store.update(id, to('https://b.example/mcp?key=other'))
  expect((await store.get(id)).target).toMatchObject({ url: 'https://b.example/mcp?key=other' })
  await store.update(id, to('https://b.example/mcp'))
  expect(await store.get(id)).toMatchObject({ entry: { url: 'https://b.example/mcp' } })
  expect(await readFile(path.join(folder, 'secrets.json'), 'utf8')).not.toMatch(/planted|other/)
})
