import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderOwner, isDeviceName } from './reserved-names.ts'
import { WorkspaceFiles } from './workspace-files.ts'

let folder = ''
beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay-reserved-')))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Names by which some file system finds the folder of git. */
const GIT = [
  '.git',
  '.GIT',
  '.Git',
  '.g\u200cit',
  '\ufeff.git',
  '.gi\u200bt',
  '.g\u00adit',
  '.\u202egit',
  '.gi\u206ft',
  'git~1',
  'GIT~1',
  'gi7d29~1',
]
/** The same with what Windows drops at the end of a name. */
const TRAILING = ['.git.', '.git ', '.git . .', '.GIT\u200d.']
const OTHERS = ['NODE_MODULES', 'node_module\u017f', 'NODE_M~1', '.PATCHBAY', '.\u2063patchbay', 'PATCHB~2']
const OWN = [
  'git',
  '.gitignore',
  '.github',
  'tools',
  'node',
  'modules',
  'patchbay',
  'git~',
  'gift~1',
  '.ｇｉｔ',
]

test('names that some file system takes for a folder of others are known', () => {
  expect([...GIT, ...TRAILING].map((name) => folderOwner(name))).toEqual(
    [...GIT, ...TRAILING].map(() => 'git'),
  )
  expect(OTHERS.filter((name) => folderOwner(name) === undefined)).toEqual([])
  expect(OWN.filter((name) => folderOwner(name) !== undefined)).toEqual([])
})

test('nothing is saved, created, renamed or removed in such a folder', async () => {
  const files = new WorkspaceFiles(folder)
  await mkdir(path.join(folder, 'tools'))
  await writeFile(path.join(folder, 'tools', 'a.ts'), 'mine\n')
  for (const name of [...GIT, ...OTHERS]) {
    const hook = `${name}/hooks/pre-commit`
    await expect(files.save(hook, '#!/bin/sh\n', null)).rejects.toMatchObject({ code: 'READ_ONLY' })
    await expect(files.save(`tools/${hook}`, '#!/bin/sh\n', null)).rejects.toMatchObject({
      code: 'READ_ONLY',
    })
    await expect(files.rename('tools/a.ts', hook)).rejects.toMatchObject({ code: 'READ_ONLY' })
  }
  for (const name of TRAILING)
    await expect(files.save(`${name}/hooks/x`, '', null)).rejects.toMatchObject({ code: 'INVALID_NAME' })
  expect(await readdir(folder, { recursive: true })).toEqual(['tools', 'tools/a.ts'])
})

test('names of devices are known, with any ending', () => {
  const devices = ['con', 'NUL.txt', 'com1', 'LPT9.ts', 'COM¹', 'conin$', 'CONOUT$']
  expect([...devices, 'console.ts', 'com', 'com10.ts', 'nullable'].filter(isDeviceName)).toEqual(devices)
})
