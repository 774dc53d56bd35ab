import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clientFile, type ClientFile } from './client-file.ts'
import { CLIENTS, clientOf } from './clients.ts'
import { installEntry, undoInstall, uninstallEntry, type InstallOptions } from './installer.ts'

let base = ''
let project = ''
let outside = ''
let options: InstallOptions

beforeEach(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay-links-')))
  project = path.join(base, 'project')
  outside = path.join(base, 'outside')
  const program = path.join(base, 'program', 'patchbay.js')
  await Promise.all([project, outside, path.dirname(program)].map((folder) => mkdir(folder)))
  await writeFile(program, '')
  options = {
    name: 'notes',
    launcher: { command: process.execPath, program, env: {} },
    installed: { served: { type: 'workspace', folder: project } },
    create: true,
  }
})

afterEach(() => rm(base, { recursive: true, force: true }))

const inProject = (id: Parameters<typeof clientOf>[0]): Promise<ClientFile> =>
  clientFile(clientOf(id), { platform: 'linux', env: {}, home: base }, { type: 'project', folder: project })

/** Each makes links in the project by which a client's file leads to another place; `there` is what exists there. */
const LINKS: readonly [string, (file: string, target: string) => Promise<void>][] = [
  ['a link to a file', (file, target) => symlink(target, file)],
  ['a relative link', (file, target) => symlink(path.relative(path.dirname(file), target), file)],
  [
    'a link to a link',
    async (file, target) => {
      await symlink(target, path.join(project, 'other'))
      await symlink(path.join(project, 'other'), file)
    },
  ],
  [
    'a link by way of a linked folder',
    async (file, target) => {
      await symlink(path.dirname(target), path.join(project, 'folder'))
      await symlink(path.join(project, 'folder', path.basename(target)), file)
    },
  ],
  [
    'a link that leaves a linked folder by ..',
    async (file, target) => {
      await mkdir(path.join(outside, 'deep'), { recursive: true })
      await symlink(path.join(outside, 'deep'), path.join(project, 'folder'))
      await symlink(`${project}/folder/../${path.basename(target)}`, file)
    },
  ],
]

const CONFIGS = CLIENTS.flatMap(({ id, project: file }) => (file === undefined ? [] : [{ id, file }]))

test.each(CONFIGS.flatMap((config) => LINKS.map(([name, link]) => ({ ...config, name, link }))))(
  '$id of a project writes nothing through $name',
  async ({ id, file, link }) => {
    for (const exists of [true, false]) {
      const target = path.join(outside, path.basename(file))
      if (exists) await writeFile(target, '')
      await mkdir(path.dirname(path.join(project, file)), { recursive: true })
      await link(path.join(project, file), target)
      const where = await inProject(id)
      const before = await treeOf(outside)
      const changes = [
        () => installEntry(where, options),
        () => uninstallEntry(where, 'notes'),
        () => undoInstall(where),
      ]
      for (const change of changes)
        await expect(change()).rejects.toMatchObject({
          code: 'outside',
          message: expect.stringContaining(target) as string,
        })
      expect(await treeOf(outside)).toEqual(before)
      await rm(project, { recursive: true })
      await mkdir(project)
    }
  },
)

test.each(CONFIGS.filter(({ file }) => file.includes('/')))(
  '$id of a project writes nothing through a linked folder',
  async ({ id, file }) => {
    for (const target of [outside, path.join(outside, 'missing')]) {
      await symlink(target, path.join(project, path.dirname(file)))
      await expect(installEntry(await inProject(id), options)).rejects.toMatchObject({ code: 'outside' })
      expect(await readdir(outside)).toEqual([])
      await rm(path.join(project, path.dirname(file)))
    }
  },
)

test('links within a project are followed, and the file that was written is named', async () => {
  await symlink('shared.json', path.join(project, '.mcp.json'))
  const where = await inProject('claude-code')
  const realFile = path.join(project, 'shared.json')
  expect(await installEntry(where, options)).toEqual({
    file: where.file,
    realFile,
    name: 'notes',
    change: 'added',
  })
  expect(await readFile(realFile, 'utf8')).toContain('"notes"')
  expect(await undoInstall(where)).toEqual({ file: where.file, realFile, change: 'restored' })
})

test('a backup that is a link is not restored: it would copy a private file into the project', async () => {
  const secret = path.join(outside, 'key')
  await writeFile(secret, 'private')
  const text = '{}'
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
  const file = path.join(project, '.mcp.json')
  await writeFile(file, text)
  await symlink(secret, `${file}.${hash}.patchbay-backup`)
  await expect(undoInstall(await inProject('claude-code'))).rejects.toMatchObject({ code: 'no-undo' })
  expect(await readFile(file, 'utf8')).toBe(text)
})

test("a user's own file may lead anywhere, and the real one is named", async () => {
  await mkdir(path.join(base, '.cursor'))
  const realFile = path.join(outside, 'dotfiles', 'mcp.json')
  await mkdir(path.dirname(realFile))
  await symlink(realFile, path.join(base, '.cursor', 'mcp.json'))
  const where = await clientFile(clientOf('cursor'), { platform: 'linux', env: {}, home: base })
  expect(await installEntry(where, options)).toMatchObject({ realFile, change: 'added' })
})

async function treeOf(folder: string): Promise<readonly string[]> {
  return (await readdir(folder, { recursive: true })).sort()
}
