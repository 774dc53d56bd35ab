import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import * as fileSystem from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { replaceFile } from './atomic-file.ts'
import { FailingFileSystem } from './failing-file-system.test-support.ts'

async function folder(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), 'patchbay-atomic-'))
}

it('replaces a file and leaves nothing else behind', async () => {
  const place = await folder()
  const file = path.join(place, 'settings.json')
  await writeFile(file, 'old')
  await replaceFile(file, 'new', 0o600)
  expect(await readFile(file, 'utf8')).toBe('new')
  expect(await readdir(place)).toEqual(['settings.json'])
})

it('makes the file readable for its owner only', async () => {
  const file = path.join(await folder(), 'secrets.json')
  await replaceFile(file, 'x', 0o600)
  // Windows has no such bits; there the folder's rights decide.
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600)
})

it.each(['ENOSPC', 'EIO', 'EACCES', 'EMFILE'])(
  'keeps the whole old file or the whole new one when any one call fails with %s',
  async (code) => {
    let failures = 0
    for (let nth = 1; ; nth += 1) {
      const place = await folder()
      const file = path.join(place, 'settings.json')
      await writeFile(file, 'old')
      const failing = new FailingFileSystem(fileSystem, nth, code)
      const outcome = await replaceFile(file, 'new', 0o600, failing).then(
        () => 'saved',
        (error: unknown) => error,
      )
      if (!failing.hasFailed) {
        expect(outcome).toBe('saved')
        break
      }
      failures += 1
      expect(outcome).toMatchObject({ code })
      // After the rename only the folder's own flush is left to fail: the new content is there.
      expect(['old', 'new']).toContain(await readFile(file, 'utf8'))
      expect(await readdir(place)).toEqual(['settings.json'])
      await replaceFile(file, 'again', 0o600)
      expect(await readFile(file, 'utf8')).toBe('again')
    }
    expect(failures).toBeGreaterThan(5)
  },
)

it('goes on after a short write, so that a full disk cannot cut a file without an error', async () => {
  const file = path.join(await folder(), 'large.json')
  const content = 'ä'.repeat(3_000_000)
  await replaceFile(file, content, 0o600)
  expect((await stat(file)).size).toBe(6_000_000)
})
