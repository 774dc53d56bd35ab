import { mkdir, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { lock } from 'proper-lockfile'
import { describeBuild, readStamp, whyStale, writeStamp } from './build-stamp.ts'
import type { Part } from './parts.ts'
import { publish } from './publish.ts'
import { warmUp } from './warm-up.ts'
import { messageOf } from '../protocol/error-message.ts'

export type BuildOutcome =
  | { readonly part: Part; readonly state: 'built'; readonly ms: number }
  | { readonly part: Part; readonly state: 'fresh' }
  | { readonly part: Part; readonly state: 'failed'; readonly message: string }

/**
 * Builds those of the parts that are stale, one after another, and gives what became of each. A part that fails
 * keeps its last build. Files of the build that is replaced stay until the next one. Two builds of the same tree
 * wait for each other.
 */
export async function buildParts(root: string, parts: readonly Part[]): Promise<BuildOutcome[]> {
  const dist = path.join(root, 'dist')
  await mkdir(dist, { recursive: true })
  const release = await lock(dist, {
    lockfilePath: path.join(dist, '.build-lock'),
    retries: { retries: 1200, factor: 1, minTimeout: 100, maxTimeout: 100 },
  })
  try {
    const outcomes: BuildOutcome[] = []
    for (const part of parts) outcomes.push(await buildPart(root, part))
    return outcomes
  } finally {
    await release()
  }
}

async function buildPart(root: string, part: Part): Promise<BuildOutcome> {
  if (whyStale(root, part.name) === undefined) return { part, state: 'fresh' }
  const startedAt = Date.now()
  const into = await mkdtemp(path.join(root, 'dist', `.building-${part.name}-`))
  try {
    const bundled = await bundle(root, part, into)
    const before = readStamp(root, part.name)
    const outputs = await publish(into, path.join(root, 'dist', part.folder))
    if (part.recipe.kind === 'node') await warmUp(path.join(root, 'dist', part.folder), part.recipe)
    const sources = {
      files: [...bundled, ...ownSources(root, part)],
      folders: part.watchedFolders.map((folder) => path.join(root, folder)),
    }
    const replaced = (before?.outputs ?? []).map((output) => output.path)
    const stamp = describeBuild(root, sources, outputs, startedAt, replaced)
    const wanted = new Set([...replaced, ...stamp.outputs.map((output) => output.path)])
    const unwanted = (before?.replaced ?? []).filter((file) => !wanted.has(file))
    await Promise.all(unwanted.map((file) => rm(path.join(root, file), { force: true })))
    await removeEmpty(new Set(unwanted.map((file) => path.dirname(path.join(root, file)))))
    writeStamp(root, part.name, stamp)
    return { part, state: 'built', ms: Date.now() - startedAt }
  } catch (error) {
    return { part, state: 'failed', message: describe(error) }
  } finally {
    await rm(into, { recursive: true, force: true })
  }
}

async function removeEmpty(folders: ReadonlySet<string>): Promise<void> {
  for (const folder of folders) if ((await readdir(folder)).length === 0) await rmdir(folder)
}

/** The bundlers' own words; one of them colours its message whether or not anybody sees colours. */
function describe(error: unknown): string {
  return stripVTControlCharacters(messageOf(error))
}

async function bundle(root: string, part: Part, into: string): Promise<readonly string[]> {
  if (part.recipe.kind === 'page') {
    const { bundlePage } = await import('./bundle-page.ts')
    return bundlePage(root, part.recipe.root, into)
  }
  if (part.recipe.kind === 'workspace') {
    const { bundleWorkspace } = await import('./bundle-workspace.ts')
    return bundleWorkspace(root, part.recipe, into)
  }
  const { bundleForNode } = await import('./bundle-node.ts')
  return (await bundleForNode(root, part.recipe, into)).sources
}

const BUNDLERS = {
  page: ['bundle-page.ts'],
  workspace: ['bundle-workspace.ts'],
  node: [
    ...['bundle-node.ts', 'commonjs-names.ts', 'node-on-demand.ts', 'minified-packages.ts'],
    ...['merge-start.ts', 'kept-script.ts', 'warm-up.ts'],
  ],
}

/** What changes every build of a part beside its own sources: how it is bundled, and the packages. */
function ownSources(root: string, part: Part): string[] {
  return [
    ...['parts.ts', ...BUNDLERS[part.recipe.kind]].map((name) => path.join(import.meta.dirname, name)),
    path.join(root, 'package.json'),
    path.join(root, 'package-lock.json'),
  ]
}
