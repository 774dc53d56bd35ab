import type { FSWatcher } from 'chokidar'
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { FolderWatch } from './folder-watch.ts'
import type { LiveFault } from './live-state.ts'

const opened: FSWatcher[] = []
let refused = 0

// Real watchers, of which the system refuses some: its limit is for all processes and cannot be reached here.
vi.mock('chokidar', async (load) => {
  const chokidar = await load<typeof import('chokidar')>()
  return {
    ...chokidar,
    watch: (...given: Parameters<typeof chokidar.watch>) => {
      const watcher = chokidar.watch(...given)
      opened.push(watcher)
      if (refused > 0) {
        refused -= 1
        setImmediate(() => watcher.emit('error', new Error('ENOSPC: no more watchers')))
      }
      return watcher
    },
  }
})

it('looks by itself where the system gives no watches, says so, and leaves no watcher behind', async () => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay-watch-')))
  await mkdir(path.join(folder, 'tools'))
  const faults: (LiveFault | undefined)[] = []
  const waiting: { readonly file: string; readonly done: () => void }[] = []
  const onEvent = (file: string) => new Promise<void>((done) => waiting.push({ file, done }))
  const watch = new FolderWatch({
    folder,
    onPaths: (paths) => {
      for (const { file, done } of waiting) if (paths.includes(file)) done()
    },
    onFault: (fault) => faults.push(fault),
  })
  refused = 1
  const restarted = onEvent(folder)
  await watch.start()
  await restarted
  expect(faults).toMatchObject([{ code: 'polling', message: expect.stringContaining('ENOSPC') }])
  const tool = path.join(folder, 'tools', 'a.ts')
  const seen = onEvent(tool)
  await writeFile(tool, '')
  await seen
  await watch.close()
  expect(opened).toHaveLength(2)
  expect(opened.map(({ closed }) => closed)).toEqual([true, true])
})
