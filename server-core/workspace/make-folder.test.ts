import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder, makeFolderSync } from './make-folder.ts'

const both = [
  ['makeFolder', makeFolder],
  [
    'makeFolderSync',
    (folder: string, mode?: number) =>
      new Promise<void>((resolve) => {
        makeFolderSync(folder, mode)
        resolve()
      }),
  ],
] as const

it.each(both)('%s creates a folder with those above it, and leaves one that exists', async (_name, make) => {
  const base = await mkdtemp(path.join(tmpdir(), 'patchbay-folder-'))
  const folder = path.join(base, 'a/b/c')
  await make(folder, 0o700)
  await make(folder)
  expect((await stat(path.join(base, 'a'))).mode & 0o777).toBe(0o700)
  expect((await stat(folder)).isDirectory()).toBe(true)
  await writeFile(path.join(base, 'file'), '')
  await expect(make(path.join(base, 'file/below'))).rejects.toThrow('ENOTDIR')
  await rm(base, { recursive: true })
})

// Node's own recursive mkdir spins there for ever.
it.runIf(process.platform === 'linux').each(both)('%s fails below /proc', async (_name, make) => {
  await expect(make('/proc/patchbay/a/b')).rejects.toThrow('ENOENT')
})
