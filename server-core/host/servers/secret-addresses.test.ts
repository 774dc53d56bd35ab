import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PlainFileSecretStore } from '../../workspace/secret-files.ts'
import type { ServerDraft } from '../contract/servers.ts'
import { approvalDetails } from './approval-details.ts'
import { KEPT_VALUE, secretsOf } from './secret-fields.ts'
import { ServerBook, summaryOf } from './server-book.ts'

let folder = ''
let book: ServerBook

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-addresses-'))
  book = new ServerBook({
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
  const id = await book.add(draft, 'imported')
  await book.approve(id, (await book.get(id)).hash)
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
    const booked = await book.get(id)
    const shown = JSON.stringify([
      await approvalDetails(booked),
      await book.draft(id),
      summaryOf(booked.target),
    ])
    expect(shown).not.toContain('planted')
  }
  expect((await book.get(first)).target).toMatchObject({ env: [{ value: DATABASE }, {}, { value: 'fast' }] })
  expect((await book.get(second)).target).toMatchObject({ url: URL_WITH_KEY })
  expect(secretsOf((await book.get(first)).target)).toEqual(
    expect.arrayContaining(['planted-password', 'planted-token']),
  )
  expect(secretsOf((await book.get(second)).target)).toContain('planted key')
  await book.remove(first)
  await book.remove(second)
  expect((await readdir(folder)).length).toBeGreaterThan(2)
  const everywhere = await Promise.all(
    (await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')),
  )
  expect(everywhere.join('\n')).not.toContain('planted')
})

test('whoever approves it sees where it leads', async () => {
  const { target } = await approvalDetails(await book.get(await approved(local)))
  expect(target).toMatchObject({
    env: [
      { value: `postgres://ann:${KEPT_VALUE}@db.example/notes`, kept: true },
      { value: `https://h.example/?page=1&token=${KEPT_VALUE}`, kept: true },
      { value: 'fast' },
    ],
  })
  const far = await approvalDetails(await book.get(await approved(remote)))
  expect(far.target).toMatchObject({ url: `https://a.example/mcp?key=${KEPT_VALUE}&team=blue` })
})

test('an editor returns the address as it was shown, or with another key', async () => {
  const id = await approved(remote)
  const { hasBearerToken: _none, ...shown } = await book.draft(id)
  await book.update(id, { ...shown, name: 'renamed' })
  expect(await book.get(id)).toMatchObject({ approval: 'approved', target: { url: URL_WITH_KEY } })

  const to = (url: string): ServerDraft => ({ ...shown, target: { transport: 'http', url, headers: [] } })
  await book.update(id, to(`https://b.example/mcp?team=red&key=${KEPT_VALUE}`))
  const moved = 'https://b.example/mcp?team=red&key=planted%20key'
  expect(await book.get(id)).toMatchObject({ approval: 'changed', target: { url: moved } })
  await expect(book.update(id, to(`https://b.example/?token=${KEPT_VALUE}`))).rejects.toMatchObject({
    code: 'INVALID_ENTRY',
    message: 'A hidden parameter of the address is not stored. Enter it again.',
  })
  await book.update(id, to('https://b.example/mcp?key=other'))
  expect((await book.get(id)).target).toMatchObject({ url: 'https://b.example/mcp?key=other' })
  await book.update(id, to('https://b.example/mcp'))
  expect(await book.get(id)).toMatchObject({ entry: { url: 'https://b.example/mcp' } })
  expect(await readFile(path.join(folder, 'secrets.json'), 'utf8')).not.toMatch(/planted|other/)
})
