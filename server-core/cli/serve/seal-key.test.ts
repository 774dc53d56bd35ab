import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sealKeyIn } from './seal-key.ts'

let folder = ''
const warned: string[] = []
const key = (at: string) => Buffer.from(sealKeyIn(at, (text) => warned.push(text))).toString('hex')

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-key-'))
  warned.length = 0
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('is the same from start to start, in a file for nobody else', async () => {
  const profile = path.join(folder, 'new', 'profile')
  const first = key(profile)
  expect(first).toMatch(/^[0-9a-f]{64}$/)
  expect(key(profile)).toBe(first)
  expect(await readdir(profile)).toEqual(['serve.key'])
  expect((await stat(path.join(profile, 'serve.key'))).mode & 0o077).toBe(0)
  expect(await readFile(path.join(profile, 'serve.key'), 'utf8')).not.toContain(first)
  expect(warned).toEqual([])
})

it('is one for this process where it cannot be kept, and says so', async () => {
  const file = path.join(folder, 'file')
  await writeFile(file, '')
  expect(key(path.join(file, 'profile'))).not.toBe(key(path.join(file, 'profile')))
  expect(warned[0]).toContain('cannot be taken up after a restart')
})

it('leaves a file that holds no key alone', async () => {
  await writeFile(path.join(folder, 'serve.key'), 'abc')
  await chmod(path.join(folder, 'serve.key'), 0o600)
  key(folder)
  expect(warned[0]).toContain('holds no key of 32 bytes')
  expect(await readFile(path.join(folder, 'serve.key'), 'utf8')).toBe('abc')
})
