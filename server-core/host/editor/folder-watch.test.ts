import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { FolderWatch, type FileChange } from './folder-watch.ts'

it('watches a folder that is a link, and nothing that links in it lead to', async () => {
  const base = await mkdtemp(path.join(tmpdir(), 'patchbay-watched-'))
  for (const name of ['real/tools', 'outside']) await mkdir(path.join(base, name), { recursive: true })
  await symlink(path.join(base, 'real'), path.join(base, 'linked'))
  await symlink(path.join(base, 'outside'), path.join(base, 'real', 'out'))
  const watch = new FolderWatch(path.join(base, 'linked'))
  const told: FileChange[] = []
  const last = Promise.withResolvers<undefined>()
  await watch.listen((changes) => {
    told.push(...changes)
    if (changes.some(({ file }) => file === 'tools/last.ts')) last.resolve(undefined)
  })
  await writeFile(path.join(base, 'outside', 'theirs.txt'), '')
  await writeFile(path.join(base, 'real', 'tools', 'last.ts'), '')
  await last.promise
  expect(told).toEqual([{ file: 'tools/last.ts', type: 'made' }])
  await watch.close()
})
