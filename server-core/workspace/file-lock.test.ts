import { mkdir, mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withFileLock } from './file-lock.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-file-lock-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it.each([
  ['hours ago', -6],
  ['in the future, by a clock that was set back since', 6],
])('takes the lock that a killed process left %s', async (_when, hours) => {
  const file = path.join(folder, `file${hours}`)
  const time = new Date(Date.now() + hours * 60 * 60_000)
  await mkdir(`${file}.lock`)
  await utimes(`${file}.lock`, time, time)
  expect(await withFileLock(file, () => Promise.resolve('done'))).toBe('done')
})
