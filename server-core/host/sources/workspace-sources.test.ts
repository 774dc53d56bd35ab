import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { workspaceSources } from './workspace-sources.ts'

let root = ''
afterEach(() => rm(root, { recursive: true, force: true }))

it('starts nothing that is not approved or trusted, and no workspace in itself', async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'patchbay-sources-')))
  const folder = path.join(root, 'workspace')
  await mkdir(path.join(folder, 'inner'), { recursive: true })
  await mkdir(path.join(root, 'other'))
  await symlink(folder, path.join(root, 'again'))
  await symlink(path.join(root, 'other'), path.join(folder, 'linked'))
  const configure = workspaceSources({
    identity: { name: 'test', version: '1' },
    mayRun: () => Promise.resolve(false),
    transportsFor: (server) => Promise.reject(new Error(`"${server}" was never approved`)),
    scriptHostOf: (each) => {
      throw new Error(`a host was started for ${each}`)
    },
    documentOf: (each) => {
      throw new Error(`${each} was read`)
    },
  })(folder)
  const configured = await configure({
    mounts: ['../other', 'linked', '.', '../again', 'none'].map((each) => ({ folder: each, prefix: 'm' })),
    proxies: [{ server: 'Everything' }],
  })
  expect(configured.faults().map(({ message }) => message)).toEqual([
    expect.stringMatching(/^mount "\.\.\/other": .*other is not trusted, so none of its code runs/),
    expect.stringMatching(/^mount "linked": .*other is not trusted/),
    expect.stringMatching(/^mount "\.": .* mounts itself/),
    expect.stringMatching(/^mount "\.\.\/again": .* mounts itself/),
    expect.stringMatching(/^mount "none": there is no folder/),
    'proxy "Everything": "Everything" was never approved',
  ])
  await configured.close()
})
