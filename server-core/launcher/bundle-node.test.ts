import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { withEsbuild } from '../scripts/esbuild-service.ts'
import { bundleForNode } from './bundle-node.ts'

const root = path.resolve(import.meta.dirname, '../..')

afterEach(() => {
  vi.useRealTimers()
})

test('a build ends although scripts were last bundled a minute ago, when their esbuild is stopped', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-bundle-'))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await withEsbuild(({ transform }) => transform('1'))
  const building = bundleForNode(
    root,
    { kind: 'node', format: 'esm', entries: { client: 'api/client.ts' } },
    folder,
  )
  await setImmediate()
  vi.advanceTimersByTime(60_000)
  await building
  await expect(readFile(path.join(folder, 'client.js'), 'utf8')).resolves.toContain('connect')
  await rm(folder, { recursive: true })
})
