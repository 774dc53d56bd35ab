import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { previewTrust } from './trust-preview.ts'

let base: string
let folder: string
beforeEach(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay-would-run-')))
  folder = path.join(base, 'workspace')
})
afterEach(() => rm(base, { recursive: true, force: true }))

async function save(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(base, name)), { recursive: true })
    await writeFile(path.join(base, name), text)
  }
}

const mounting = (folder: string) => JSON.stringify({ composition: { mounts: [{ folder, prefix: 'm' }] } })

it('lists its own scripts and those of folders in it that are mounted, however deep, and none elsewhere', async () => {
  await save({
    'workspace/patchbay.config.ts':
      "export default config({ mounts: [{ folder: 'packs/birds' }, { folder: '.' }] })",
    'workspace/tools/own.ts': 'own',
    'workspace/patchbay.json': mounting('./packs/added'),
    'workspace/packs/birds/patchbay.json': mounting('nest'),
    'workspace/packs/birds/nest/prompts/egg.ts': 'egg',
    'workspace/packs/birds/tools/sing.ts': 'sing!',
    'workspace/packs/added/resources/a.ts': 'a',
    'workspace/packs/added/patchbay.json': mounting('../../../elsewhere'),
    'workspace/packs/other/tools/idle.ts': 'idle',
    'elsewhere/tools/far.ts': 'far',
  })
  await symlink(path.join(base, 'elsewhere'), path.join(folder, 'linked'))
  await symlink(folder, path.join(base, 'again'))
  const found = await previewTrust(path.join(base, 'again'))
  expect(found.map(({ file }) => file)).toEqual([
    'patchbay.config.ts',
    'tools/own.ts',
    'packs/added/resources/a.ts',
    'packs/birds/tools/sing.ts',
    'packs/birds/nest/prompts/egg.ts',
  ])
  expect(found.at(3)).toEqual({ file: 'packs/birds/tools/sing.ts', bytes: 5 })
})

it('lists what it can of a folder whose files are broken, or that is empty', async () => {
  await save({
    'workspace/patchbay.json': '{"composition',
    'workspace/patchbay.config.js': "mounts: ['\0', '/'",
  })
  expect(await previewTrust(folder)).toMatchObject([{ file: 'patchbay.config.js' }])
  await save({ 'empty/README.md': '' })
  expect(await previewTrust(path.join(base, 'empty'))).toEqual([])
})
