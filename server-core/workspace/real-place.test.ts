import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isInside, realPlace } from './real-place.ts'

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'real-place-')))
})
afterEach(() => rm(folder, { recursive: true }))

it('follows links in every part of a path, also to a file that does not exist', async () => {
  const to = (name: string): string => path.join(folder, name)
  await mkdir(to('real/inner'), { recursive: true })
  await symlink('real', to('first'))
  await symlink(to('first/inner'), to('second'))
  await symlink('second/new.txt', to('third'))
  expect(await realPlace(to('third'))).toBe(to('real/inner/new.txt'))
  expect(await realPlace(`${to('second')}/../a.txt`)).toBe(to('real/a.txt'))
})

it('reports links that form a loop', async () => {
  await symlink('b', path.join(folder, 'a'))
  await symlink('a', path.join(folder, 'b'))
  await expect(realPlace(path.join(folder, 'a'))).rejects.toThrow('too many symbolic links')
})

it.each([
  ['/a/b', '/a/b', true],
  ['/a/b', '/a/b/c', true],
  ['/a/b', '/a/b/..c', true],
  ['/a/b', '/a', false],
  ['/a/b', '/a/bc', false],
  ['/a/b', '/x', false],
])('in %s, %s: %s', (outer, place, isIn) => {
  expect(isInside(outer, place)).toBe(isIn)
})
