import { mkdir, mkdtemp, readFile, readdir, realpath, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { ownFolder } from './own-folder.ts'
import { writeWorkspaceTypes } from './workspace-types.ts'

let base: string
let workspace: string
beforeEach(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay-own-')))
  workspace = path.join(base, 'workspace')
  await mkdir(workspace)
})

it('is made once, out of the sight of git', async () => {
  const made = path.join(workspace, '.patchbay', 'cache')
  expect(await ownFolder(workspace, 'cache')).toBe(made)
  await writeFile(path.join(made, 'kept'), '')
  expect(await ownFolder(workspace, 'cache')).toBe(made)
  expect(await readdir(made)).toEqual(['kept'])
  expect(await readFile(path.join(workspace, '.patchbay', '.gitignore'), 'utf8')).toBe('*\n')
})

it('leads to no other folder, at neither of its levels', async () => {
  const theirs = path.join(base, 'theirs')
  await mkdir(path.join(theirs, 'types'), { recursive: true })
  await writeFile(path.join(theirs, 'types', 'mine.d.ts'), 'mine')
  const types = path.join(base, 'types')
  await mkdir(types)
  await writeFile(path.join(types, 'stamp'), '1')
  await symlink(theirs, path.join(workspace, '.patchbay'))
  await expect(ownFolder(workspace, 'cache')).rejects.toThrow('is a symbolic link')
  await expect(writeWorkspaceTypes(workspace, types)).rejects.toThrow(
    'Remove it and try again. Scripts run all the same.',
  )
  expect(await readdir(theirs)).toEqual(['types'])
  expect(await readdir(path.join(theirs, 'types'))).toEqual(['mine.d.ts'])

  const other = path.join(base, 'other')
  await mkdir(path.join(other, '.patchbay'), { recursive: true })
  await symlink(theirs, path.join(other, '.patchbay', 'removed'))
  await expect(ownFolder(other, 'removed')).rejects.toThrow('is a symbolic link')
})
