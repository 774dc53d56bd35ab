import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundleScripts } from './bundle.ts'
import { scriptEntriesIn } from './entries.ts'
import { ScriptError } from './script-error.ts'

let folder = ''
beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay-bundle-')))
})
afterAll(() => rm(folder, { recursive: true }))

it('lets a script have YAML, zod and the module of scripts without installing anything', async () => {
  await writeFile(
    path.join(folder, 'all.ts'),
    `import { tool } from 'patchbay'
     import { parse } from 'patchbay/yaml'
     import { z } from 'zod'
     export const all = [tool, parse, z]`,
  )
  const entries = scriptEntriesIn(import.meta.dirname)
  const [bundle] = await bundleScripts({ folder, into: folder, entries }, [
    { script: 'all.ts', config: undefined },
  ])
  if (bundle === undefined || bundle instanceof ScriptError) expect.fail('it cannot be made')
  const { code, inputs } = bundle
  const imported = Array.from(code.matchAll(/from "(.*)";/g), ([, name]) => name)
  const ours = [entries.authoring, entries.yaml, entries.zod].map((file) => pathToFileURL(file).href)
  expect(imported.toSorted()).toEqual(ours.toSorted())
  expect(inputs).toEqual([path.join(folder, 'all.ts')])
  const { parse } = (await import(entries.yaml)) as typeof import('./authoring/yaml.ts')
  expect(parse('a: [1, two]')).toEqual({ a: [1, 'two'] })
})

it('makes the same of a script whatever is made with it, and names what is broken or gone alone', async () => {
  const files = {
    'one.ts': "import { shared } from './lib/shared.ts'\nexport default [shared, 'one']",
    'two.ts': "export default [require('./lib/shared.ts'), import('./lib/other.ts')]",
    'broken.ts': "import { nothing } from './lib/not-there.ts'\nexport default nothing",
    'lib/shared.ts': "import { deep } from './deep.ts'\nexport const shared = deep, other = 1",
    'lib/other.ts': "export { other } from './shared.ts'",
    'lib/deep.ts': 'export const deep = import.meta.filename',
    'config.ts': 'export default {}',
  }
  await mkdir(path.join(folder, 'lib'))
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(folder, file), text)
  const place = { folder, into: folder, entries: scriptEntriesIn(import.meta.dirname) }
  const requests = [
    { script: 'one.ts', config: undefined },
    { script: 'broken.ts', config: undefined },
    { script: 'two.ts', config: 'config.ts' },
    { script: 'gone.ts', config: undefined },
    { script: undefined, config: 'config.ts' },
  ]
  const alone: unknown[] = []
  for (const request of requests) alone.push(...(await bundleScripts(place, [request])))
  expect(await bundleScripts(place, requests)).toEqual(alone)
  const inFolder = (...names: readonly string[]) => names.map((name) => path.join(folder, name))
  expect(alone).toMatchObject([
    { inputs: inFolder('lib/deep.ts', 'lib/shared.ts', 'one.ts') },
    { code: 'build', at: { file: 'broken.ts', line: 1 }, inputs: inFolder('broken.ts', 'lib/not-there.ts') },
    { inputs: inFolder('config.ts', 'lib/deep.ts', 'lib/other.ts', 'lib/shared.ts', 'two.ts') },
    { code: 'missing', inputs: inFolder('gone.ts') },
    { inputs: inFolder('config.ts') },
  ])
})
