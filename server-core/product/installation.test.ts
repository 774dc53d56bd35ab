import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { installationAt, typedCommand } from './installation.ts'

let folder = ''

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'patchbay-installation-')))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

async function installedIn(...below: readonly string[]): Promise<string> {
  const root = path.join(folder, ...below, 'node_modules', 'mcp-patchbay')
  await mkdir(root, { recursive: true })
  return root
}

async function writeManifest(place: string, spec: string): Promise<void> {
  await mkdir(path.join(folder, place), { recursive: true })
  const manifest = { dependencies: { 'mcp-patchbay': spec } }
  await writeFile(path.join(folder, place, 'package.json'), JSON.stringify(manifest))
}

test('npx has it in its cache, and gets the same major version again', async () => {
  const root = await installedIn('.npm', '_npx', 'abc')
  const installation = installationAt(root, '1.2.3')
  expect(installation).toEqual({ type: 'npx', spec: 'mcp-patchbay@^1.2.3' })
  expect(typedCommand(installation)).toBe('npx mcp-patchbay')
})

test('npx of a tarball gets that tarball again', async () => {
  const root = await installedIn('_npx', 'abc')
  await writeManifest('_npx/abc', 'file:../../mcp-patchbay-1.2.3.tgz')
  expect(installationAt(root, '1.2.3')).toEqual({
    type: 'npx',
    spec: path.join(folder, 'mcp-patchbay-1.2.3.tgz'),
  })
})

test('in a project and for the user, the path of the command has no version in it', async () => {
  const inProject = await installedIn('project')
  await writeManifest('project', '^1.0.0')
  const project = installationAt(inProject, '1.2.3')
  expect(project).toEqual({ type: 'project', program: path.join(inProject, 'bin', 'patchbay.cjs') })
  expect(typedCommand(project)).toBe('npx mcp-patchbay')
  const global = installationAt(await installedIn('lib'), '1.2.3')
  expect(global).toMatchObject({ type: 'global' })
  expect(typedCommand(global)).toBe('patchbay')
})

test('pnpm keeps versions apart and links to one of them', async () => {
  const linked = await installedIn('project')
  await writeManifest('project', '^1.0.0')
  const stored = await installedIn('project', 'node_modules', '.pnpm', 'mcp-patchbay@1.2.3')
  expect(installationAt(stored, '1.2.3')).toEqual({
    type: 'project',
    program: path.join(linked, 'bin', 'patchbay.cjs'),
  })
})
