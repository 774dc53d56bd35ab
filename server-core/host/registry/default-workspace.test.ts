import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { copyDefaultWorkspace } from './default-workspace.ts'

const WHOLE = ['lib', 'lib/word.ts', 'patchbay.config.ts', 'tools', 'tools/a.ts', 'tools/z', 'tools/z/b.ts']

let base: string
let from: string
let to: string
beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'patchbay-default-'))
  from = path.join(base, 'from')
  to = path.join(base, 'workspace')
  await mkdir(path.join(from, 'tools', 'z'), { recursive: true })
  await mkdir(path.join(from, 'lib'))
  await mkdir(to)
  const files = WHOLE.filter((name) => name.endsWith('.ts'))
  for (const name of [...files, 'tools/a.test.ts']) await writeFile(path.join(from, name), name)
})

const all = async () => (await readdir(to, { recursive: true })).toSorted()
const beside = async () => (await readdir(base)).toSorted()

it('copies a workspace without its tests, once, and leaves what is there', async () => {
  await writeFile(path.join(to, 'patchbay.json'), '{}')
  await mkdir(path.join(to, 'lib'))
  await writeFile(path.join(to, 'lib', 'word.ts'), 'mine')
  await copyDefaultWorkspace(from, to)
  expect(await all()).toEqual([...WHOLE, 'patchbay.json'].toSorted())
  expect(await readFile(path.join(to, 'lib', 'word.ts'), 'utf8')).toBe('mine')
  expect(await beside()).toEqual(['from', 'workspace'])
  await rm(path.join(to, 'tools', 'a.ts'))
  await copyDefaultWorkspace(from, to)
  expect(await all()).not.toContain('tools/a.ts')
})

it('makes a copy whole that ended in the middle', async () => {
  // What cannot be copied ends it, after the folders above.
  const socket = createServer()
  await new Promise<void>((resolve) => socket.listen(path.join(from, 'tools', 'z', 'socket'), resolve))
  await expect(copyDefaultWorkspace(from, to)).rejects.toThrow()
  await new Promise((resolve) => socket.close(resolve))
  await copyDefaultWorkspace(from, to)
  expect(await all()).toEqual(WHOLE)
  expect(await beside()).toEqual(['from', 'workspace'])
})

it('goes on where it ended while the copy took its place', async () => {
  await mkdir(path.join(base, 'workspace.new', 'lib'), { recursive: true })
  await writeFile(path.join(base, 'workspace.new', 'lib', 'word.ts'), 'word')
  await mkdir(path.join(to, 'tools'))
  await copyDefaultWorkspace(undefined, to)
  expect(await all()).toEqual(['lib', 'lib/word.ts', 'tools'])
  expect(await beside()).toEqual(['from', 'workspace'])
})
