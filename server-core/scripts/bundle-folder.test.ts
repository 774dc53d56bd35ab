import { mkdir, mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { bundleFolder } from './bundle-folder.ts'

let base: string
let workspace: string
let elsewhere: string
beforeEach(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay-bundles-')))
  workspace = path.join(base, 'workspace')
  elsewhere = path.join(base, 'profile', 'bundles')
  await mkdir(workspace)
})
afterEach(() => rm(base, { recursive: true, force: true }))

it('is in the workspace, where that can be written to', async () => {
  const own = path.join(workspace, '.patchbay', 'cache')
  expect(bundleFolder(workspace, elsewhere).folder).toBe(own)
  await bundleFolder(workspace, elsewhere).make()
  expect(bundleFolder(workspace, elsewhere).folder).toBe(own)
  expect(await readdir(base)).toEqual(['workspace'])
})

it('is elsewhere for a workspace that is read-only, one for each and for its user alone', async () => {
  const readOnly = (place: string) => {
    const code = place.includes('.patchbay') ? 'ENOENT' : 'EROFS'
    throw Object.assign(new Error(`${code}: ${place}`), { code })
  }
  const { folder, make } = bundleFolder(workspace, elsewhere, readOnly)
  expect(path.dirname(folder)).toBe(elsewhere)
  expect(bundleFolder(workspace, elsewhere, readOnly).folder).toBe(folder)
  expect(bundleFolder(`${workspace}-2`, elsewhere, readOnly).folder).not.toBe(folder)
  await make()
  if (process.platform !== 'win32') expect((await stat(folder)).mode & 0o777).toBe(0o700)
  expect(await readdir(workspace)).toEqual([])
  expect(bundleFolder(workspace, undefined, readOnly).folder).toBe(path.join(workspace, '.patchbay', 'cache'))
})
