import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { installPinned } from './install-pinned.ts'
import type { PinnedPackage } from './pinned-package.ts'

let folder = ''
let mirror: Server
const asked: string[] = []

/** A registry of the user's own, which has one package. The lock file names the public one. */
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-pinned-'))
  const source = path.join(folder, 'source')
  await mkdir(source)
  await writeFile(path.join(source, 'package.json'), '{ "name": "typescript", "version": "7.0.2" }')
  await promisify(execFile)('npm', ['pack', '--pack-destination', folder, '--ignore-scripts'], {
    cwd: source,
  })
  const tarball = await readFile(path.join(folder, 'typescript-7.0.2.tgz'))
  mirror = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end(tarball)
  })
  mirror.listen(0, '127.0.0.1')
  await once(mirror, 'listening')
  vi.stubEnv('npm_config_registry', `http://127.0.0.1:${(mirror.address() as AddressInfo).port}/`)
  vi.stubEnv('npm_config_fetch_retries', '0')
  vi.stubEnv('npm_config_cache', path.join(folder, 'npm-cache'))
  await writeLock(`sha512-${createHash('sha512').update(tarball).digest('base64')}`)
})

afterEach(async () => {
  vi.unstubAllEnvs()
  mirror.close()
  asked.length = 0
  await rm(folder, { recursive: true, force: true })
})

async function writeLock(integrity: string): Promise<void> {
  const resolved = 'https://registry.npmjs.org/typescript/-/typescript-7.0.2.tgz'
  const root = { name: 'pinned', version: '1.0.0', dependencies: { typescript: '7.0.2' } }
  const packages = { '': root, 'node_modules/typescript': { version: '7.0.2', resolved, integrity } }
  const lock = { name: root.name, version: root.version, lockfileVersion: 3, requires: true, packages }
  await mkdir(path.join(folder, 'lock'), { recursive: true })
  await writeFile(path.join(folder, 'lock', 'package.json'), JSON.stringify(root))
  await writeFile(path.join(folder, 'lock', 'package-lock.json'), JSON.stringify(lock))
}

function pinned(): PinnedPackage {
  const place = path.join(folder, 'cache', 'typescript-7.0.2')
  return { name: 'typescript', version: '7.0.2', lock: path.join(folder, 'lock'), folder: place }
}

test('a package comes from the registry of the user, once', async () => {
  const place = await installPinned(pinned())
  expect(await readFile(path.join(place, 'package.json'), 'utf8')).toContain('7.0.2')
  expect(asked).toEqual(['/typescript/-/typescript-7.0.2.tgz'])
  expect(await installPinned(pinned())).toBe(place)
  expect(asked).toHaveLength(1)
})

test('a file with another hash than the pinned one is not installed', async () => {
  await writeLock(`sha512-${Buffer.alloc(64).toString('base64')}`)
  await expect(installPinned(pinned())).rejects.toThrow(
    /^TypeScript's language server 7\.0\.2 could not be fetched: .*EINTEGRITY/,
  )
  expect(await readdir(path.join(folder, 'cache'))).toEqual([])
})

test('a registry that does not answer is named', async () => {
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/')
  await expect(installPinned(pinned())).rejects.toThrow(/could not be fetched: .*127\.0\.0\.1:9/)
})
