import { mkdir, mkdtemp, readFile, readdir, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ContentCache } from './content-cache.ts'

const HASH = '0123456789abcdef0123456789abcdef'

it('keeps a bundle as it was made, whatever has its name already', async () => {
  const folder = path.join(await mkdtemp(path.join(tmpdir(), 'patchbay-cache-')), 'cache')
  const cache = new ContentCache(folder, 'stamp')
  const file = await cache.keepBundle(HASH, 'export const whole = 1')
  expect(await readFile(file, 'utf8')).toBe('export const whole = 1')
  await writeFile(file, 'export const wh')
  expect(await cache.keepBundle(HASH, 'export const whole = 1')).toBe(file)
  expect(await readFile(file, 'utf8')).toBe('export const whole = 1')
  expect(await readdir(folder)).toEqual([`${HASH}.mjs`])
})

it('forgets what nobody used for a week, and nothing that is not its own', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-cache-'))
  const own = [`${HASH}.mjs`, `${HASH}.json`, `${HASH}.mjs.12.3.tmp`]
  const theirs = ['notes.md', 'a.json', `${HASH}.txt`]
  const long = new Date(Date.now() - 30 * 86_400_000)
  for (const name of [...own, ...theirs]) {
    await writeFile(path.join(folder, name), '')
    await utimes(path.join(folder, name), long, long)
  }
  await mkdir(path.join(folder, 'theirs'))
  await new ContentCache(folder, 'stamp').prune()
  expect((await readdir(folder)).toSorted()).toEqual([...theirs, 'theirs'].toSorted())
})
