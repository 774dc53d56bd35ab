import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { writeWindowRedirect } from './window-redirect.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-redirect-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

it('writes a page that only this account can read, leads to the address, and is deleted again', async () => {
  const address = 'http://127.0.0.1:4000/#token=abc&x="<'
  const before = process.umask(0)
  const redirect = await writeWindowRedirect(address, folder)
  process.umask(before)
  const file = fileURLToPath(redirect.url)
  expect(redirect.url).not.toContain('abc')
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readFile(file, 'utf8')).toContain(
    'content="0;url=http://127.0.0.1:4000/#token=abc&amp;x=&quot;&lt;"',
  )
  await redirect.close()
  expect(existsSync(file)).toBe(false)
})
