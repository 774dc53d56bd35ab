import { mkdir, mkdtemp, readFile, rename, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { TrustStore } from './trust-store.ts'

it('remembers a folder by where it really is', async () => {
  const base = await mkdtemp(path.join(tmpdir(), 'patchbay-trust-'))
  const [mine, other, link] = ['mine', 'other', 'link'].map((name) => path.join(base, name)) as [
    string,
    string,
    string,
  ]
  await Promise.all([mkdir(mine), mkdir(other)])
  await symlink(mine, link)
  const file = path.join(base, 'profile', 'trust.json')
  await mkdir(path.dirname(file))
  const store = new TrustStore(file, 'leave')
  expect(await store.isTrusted(mine)).toBe(false)
  await store.trust(link)
  const later = new TrustStore(file, 'leave')
  expect(await later.isTrusted(mine)).toBe(true)
  expect(await later.isTrusted(other)).toBe(false)
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ version: 1 })
  // A link that leads elsewhere by now says nothing of where it leads.
  await rename(link, path.join(base, 'moved'))
  await symlink(other, link)
  expect(await later.isTrusted(link)).toBe(false)
  await expect(later.isTrusted(path.join(base, 'nowhere'))).rejects.toMatchObject({ code: 'ENOENT' })
})
