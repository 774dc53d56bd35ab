import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { makeWorkspace } from '../workspace/new-workspace.ts'
import { writeWorkspaceTypes } from '../workspace/workspace-types.ts'
import { bundleWorkspace } from './bundle-workspace.ts'
import { partNamed } from './parts.ts'

const root = path.resolve(import.meta.dirname, '../..')
let folder = ''
let built = ''

beforeAll(async () => {
  // Outside of the repository: our packages cannot be found from there.
  folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-typed-'))
  built = path.join(folder, 'built')
  const recipe = partNamed('workspace')?.recipe
  if (recipe?.kind !== 'workspace') throw new Error('expected a part with what is written into workspaces')
  await bundleWorkspace(root, recipe, built)
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** What the compiler says of a workspace, a line each. */
async function faultsOf(workspace: string): Promise<readonly string[]> {
  const compiler = path.join(root, 'node_modules', 'typescript7', 'bin', 'tsc')
  const run = promisify(execFile)(process.execPath, [compiler, '-p', workspace, '--pretty', 'false'], {
    cwd: workspace,
  })
  const { stdout } = await run.catch((error: unknown) => error as { readonly stdout: string })
  return stdout.split('\n').filter((line) => line !== '')
}

test('a made workspace is typed without any package, and typed so that mistakes are found', async () => {
  const workspace = path.join(folder, 'made')
  const { written } = await makeWorkspace(workspace)
  await writeWorkspaceTypes(workspace, path.join(built, 'types'))
  expect(written).toContain('tools/greet.ts')
  await writeFile(
    path.join(workspace, 'tools', 'parsed.ts'),
    [
      "import { tool } from 'patchbay'",
      "import { parse } from 'patchbay/yaml'",
      "export default tool({ run: (args) => ({ is: parse('a: 1'), ...args }) })",
    ].join('\n'),
  )
  expect(await faultsOf(workspace)).toEqual([])
  await writeFile(
    path.join(workspace, 'tools', 'wrong.ts'),
    [
      "import { readFile } from 'node:fs/promises'",
      "import { tool, z } from 'patchbay'",
      'export default tool({',
      '  input: z.object({ city: z.string() }),',
      '  async run({ city, days }, ctx) {',
      '    ctx.progress(city)',
      "    return readFile(city, 'utf8')",
      '  },',
      '})',
    ].join('\n'),
  )
  const faults = await faultsOf(workspace)
  expect(faults.map((fault) => fault.replace(/: error.*/, ''))).toEqual([
    'tools/wrong.ts(5,21)',
    'tools/wrong.ts(6,18)',
  ])
})

test('the patchbay.json of a new workspace refers to its schema', async () => {
  const workspace = path.join(folder, 'with-schema')
  await makeWorkspace(workspace)
  await writeWorkspaceTypes(workspace, path.join(built, 'types'))
  const file: unknown = JSON.parse(await readFile(path.join(workspace, 'patchbay.json'), 'utf8'))
  const { $schema } = z.object({ $schema: z.string() }).parse(file)
  const schema: unknown = JSON.parse(await readFile(path.join(workspace, $schema), 'utf8'))
  expect(schema).toMatchObject({ title: 'patchbay.json', properties: { serve: { type: 'object' } } })
})

test('types are written once, again when they are others, and git does not see them', async () => {
  const workspace = path.join(folder, 'again')
  await mkdir(workspace)
  const types = path.join(built, 'types')
  await writeWorkspaceTypes(workspace, types)
  const own = path.join(workspace, '.patchbay')
  expect(await readFile(path.join(own, '.gitignore'), 'utf8')).toBe('*\n')
  const stamp = path.join(own, 'types', 'stamp')
  await writeFile(path.join(own, 'types', 'mine'), '')
  await writeWorkspaceTypes(workspace, types)
  expect(await readdir(path.join(own, 'types'))).toContain('mine')
  await writeFile(stamp, 'older')
  await writeWorkspaceTypes(workspace, types)
  expect(await readdir(path.join(own, 'types'))).not.toContain('mine')
  expect(await readdir(own)).toEqual(['.gitignore', 'types'])
})
