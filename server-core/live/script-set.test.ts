import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Registry } from '../registry/registry.ts'
import type { LoadedScript, ScriptHost } from '../scripts/script-host.ts'
import { ScriptLog } from './script-log.ts'
import { ScriptSet } from './script-set.ts'

const CONFIG = 'patchbay.config.ts'
const TOOL = 'tools/a.ts'

let folder: string
let placed: LoadedScript[]
let released: number[]
let loads: LoadedScript[]
let whileLoading: () => Promise<void>
let told: string[]
let scriptSet: ScriptSet
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay-shelf-')))
  await mkdir(path.join(folder, 'tools'))
  await writeFile(path.join(folder, CONFIG), 'config')
  await writeFile(path.join(folder, TOOL), 'one')
  placed = []
  released = []
  loads = []
  told = []
  whileLoading = () => Promise.resolve()
  const host = {
    // As the real one: the configuration goes in if it is there when it is bundled.
    load: async (file: string): Promise<LoadedScript> => {
      await whileLoading()
      const config = path.join(folder, CONFIG)
      const inputs = [path.join(folder, file), ...(existsSync(config) ? [config] : [])]
      const loaded = {
        file,
        revision: loads.length + 1,
        hash: String(loads.length),
        inputs,
        view: new Registry(),
      }
      loads.push(loaded)
      return loaded
    },
    release: (revision: number) => void released.push(revision),
  } satisfies Pick<ScriptHost, 'load' | 'release'>
  scriptSet = new ScriptSet({
    folder,
    host: host as unknown as ScriptHost,
    log: new ScriptLog(({ text }) => told.push(text)),
    onChange: (change) => placed.push(...change.placed.map(({ loaded }) => loaded)),
    onFolders: () => Promise.resolve(),
  })
})
afterEach(async () => {
  vi.useRealTimers()
  scriptSet.close()
  await rm(folder, { recursive: true, force: true })
})

const withoutConfig = (all: readonly LoadedScript[]): readonly LoadedScript[] =>
  all.filter(({ inputs }) => !inputs.includes(path.join(folder, CONFIG)))

it('loads nothing while the configuration is away for a moment, as in a switch of branches', async () => {
  await scriptSet.settled()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const away = path.join(folder, 'away')
  await rename(path.join(folder, CONFIG), away)
  await writeFile(path.join(folder, TOOL), 'two')
  const before = loads.length
  const settled = scriptSet.settled()
  for (let ms = 0; ms < 80; ms += 1) {
    await vi.advanceTimersByTimeAsync(1)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(loads.length).toBe(before)
  await rename(away, path.join(folder, CONFIG))
  vi.useRealTimers()
  scriptSet.changed([folder])
  await settled
  expect(withoutConfig(loads)).toEqual([])
  expect(scriptSet.states().find(({ file }) => file === TOOL)).toMatchObject({ state: 'loaded', revision: 2 })
})

it('takes nothing that was bundled without the configuration', async () => {
  await scriptSet.settled()
  const away = path.join(folder, 'away')
  let isFirst = true
  whileLoading = async () => {
    if (isFirst) await rename(path.join(folder, CONFIG), away)
    else if (existsSync(away)) await rename(away, path.join(folder, CONFIG))
    isFirst = false
  }
  await writeFile(path.join(folder, TOOL), 'two')
  await scriptSet.settled()
  const [unguarded] = withoutConfig(loads)
  expect(withoutConfig(placed)).toEqual([])
  expect(released).toContain(unguarded?.revision)
  expect(scriptSet.states().find(({ file }) => file === TOOL)).toMatchObject({ state: 'loaded' })
  expect(placed.at(-1)?.file).toBe(TOOL)
})

it('loads scripts without a configuration once it stays away', async () => {
  await scriptSet.settled()
  await rm(path.join(folder, CONFIG))
  await scriptSet.settled()
  expect(withoutConfig(placed)).toMatchObject([{ file: TOOL }])
  expect(scriptSet.states().map(({ file }) => file)).toEqual([TOOL])
})

it('loads a file once whose change is reported late, after it was read', async () => {
  await scriptSet.settled()
  await writeFile(path.join(folder, TOOL), 'two')
  const before = loads.length
  whileLoading = () => {
    scriptSet.changed([path.join(folder, TOOL)])
    return Promise.resolve()
  }
  await scriptSet.settled()
  expect(loads.slice(before)).toHaveLength(1)
})

it('loads again what became another file and the same again while it was loaded', async () => {
  await scriptSet.settled()
  await writeFile(path.join(folder, TOOL), 'two')
  const before = loads.length
  whileLoading = async () => {
    whileLoading = () => Promise.resolve()
    for (const text of ['three', 'two']) await writeFile(path.join(folder, TOOL), text)
  }
  await scriptSet.settled()
  expect(loads.slice(before).map(({ file }) => file)).toEqual([TOOL, TOOL])
  expect(released).toContain(loads[before]?.revision)
})

it('looks again at what changed while the folder could not be read', async () => {
  await scriptSet.settled()
  const loop = path.join(folder, 'resources')
  await symlink(loop, loop)
  await writeFile(path.join(folder, TOOL), 'two')
  scriptSet.changed([path.join(folder, TOOL)])
  await expect.poll(() => told).toContainEqual(expect.stringContaining('ELOOP'))
  await rm(loop)
  scriptSet.changed([loop])
  await expect
    .poll(() => scriptSet.states().find(({ file }) => file === TOOL))
    .toMatchObject({ state: 'loaded', revision: 2 })
})
