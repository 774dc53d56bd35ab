import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { MemorySecretStore } from '../../profile/secret-store.ts'
import type { ServerDraft } from '../contract/servers.ts'
import { startTestHost } from '../host.test-support.ts'
import { ServerStore } from '../../profile/server-store.ts'

const named = (name: string, cwd?: string): ServerDraft => ({
  name,
  target: {
    transport: 'stdio',
    command: 'node',
    args: ['a.js'],
    env: [],
    ...(cwd === undefined ? {} : { cwd }),
  },
})

async function openStore() {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-names-'))
  const file = path.join(folder, 'patchbay.json')
  const store = new ServerStore({
    file,
    approvalsFile: path.join(folder, 'approvals.json'),
    secretStore: new MemorySecretStore(),
    folder,
    onSetAside: 'leave',
  })
  const names = async (): Promise<string[]> => (await store.list()).map(({ entry }) => entry.name)
  return { file, store: store, names }
}

it('no two entries get the same name, however it comes to them', async () => {
  const { store, names } = await openStore()
  const first = await store.add(named('fs'), 'user')
  await store.add(named('fs'), 'imported')
  const third = await store.add(named('other'), 'user')
  await store.update(third, named('fs'))
  expect(await names()).toEqual(['fs', 'fs 2', 'fs 3'])
  await store.update(first, named('fs'))
  expect(await names()).toEqual(['fs', 'fs 2', 'fs 3'])

  await store.remove(first)
  await store.add(named('fs'), 'user')
  await store.restore(first)
  expect(await names()).toEqual(['fs 4', 'fs 2', 'fs 3', 'fs'])

  const longest = 'x'.repeat(120)
  await store.add(named(longest), 'user')
  await store.add(named(longest), 'user')
  expect((await names()).at(-1)).toBe(`${'x'.repeat(118)} 2`)
})

it('a name that another program gave twice is refused with the ids that tell the entries apart', async () => {
  const { file, store } = await openStore()
  const ids = [await store.add(named('a'), 'user'), await store.add(named('b'), 'user')]
  await writeFile(file, (await readFile(file, 'utf8')).replace('"name": "b"', '"name": "a"'))
  const refusal: unknown = await store.named('a').catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'AMBIGUOUS' })
  for (const id of ids) expect(String(refusal)).toContain(`${id} (node a.js)`)
  expect((await store.named(ids[1] ?? '')).entry.id).toBe(ids[1])
})

it('a command that names no folder gets the one that the user is in, unless a workspace was named', async () => {
  const startFolder = await mkdtemp(path.join(tmpdir(), 'patchbay-start-'))
  const test = await startTestHost({ startFolder })
  try {
    const { client } = test
    expect((await client.app.info()).startFolder).toBe(startFolder)
    const pasted = await client.servers.readPaste({ text: 'node a.js' })
    expect(pasted.drafts).toMatchObject([{ target: { cwd: startFolder } }])
    const { id } = await client.servers.add({ draft: named('a'), origin: 'user' })
    expect((await client.servers.approval({ id })).target).toMatchObject({ cwd: startFolder })

    const gone = path.join(startFolder, 'gone')
    await client.servers.update({ id, draft: named('a', gone) })
    expect(await client.servers.approval({ id })).toMatchObject({
      target: { cwd: gone },
      warnings: [`The folder ${gone} does not exist.`],
    })
  } finally {
    await test.close()
  }

  const workspace = await mkdtemp(path.join(tmpdir(), 'patchbay-workspace-'))
  const inWorkspace = await startTestHost({ startFolder, workspace })
  try {
    const { client } = inWorkspace
    expect((await client.app.info()).startFolder).toBe(workspace)
    const [draft = named('none')] = (await client.servers.readPaste({ text: 'node a.js' })).drafts
    expect(draft.target).not.toHaveProperty('cwd')
    const { id } = await client.servers.add({ draft, origin: 'user' })
    expect((await client.servers.approval({ id })).target).toMatchObject({ cwd: workspace })
  } finally {
    await inWorkspace.close()
  }
})
