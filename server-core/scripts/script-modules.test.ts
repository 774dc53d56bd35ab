import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundleScript } from './bundle.ts'
import { scriptEntriesIn } from './entries.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-bundle-'))
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
  const { code, inputs } = await bundleScript({
    folder,
    script: 'all.ts',
    config: undefined,
    into: folder,
    entries,
  })
  const imported = Array.from(code.matchAll(/from "(.*)";/g), ([, name]) => name)
  const ours = [entries.authoring, entries.yaml, entries.zod].map((file) => pathToFileURL(file).href)
  expect(imported.toSorted()).toEqual(ours.toSorted())
  expect(inputs).toEqual([path.join(folder, 'all.ts')])
  const { parse } = (await import(entries.yaml)) as typeof import('./authoring/yaml.ts')
  expect(parse('a: [1, two]')).toEqual({ a: [1, 'two'] })
})
