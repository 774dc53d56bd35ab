import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { once } from 'node:events'
import path from 'node:path'
import { whyStale } from './build-stamp.ts'
import { PARTS, type Part, type PartName } from './parts.ts'

export type Built =
  | { readonly state: 'ready' }
  /** A part could not be built, but all of them have an older build that can run. */
  | { readonly state: 'old'; readonly parts: readonly Part[] }
  | { readonly state: 'missing'; readonly parts: readonly Part[] }

/**
 * Sees to it that the named parts are built from the present sources. The check alone takes a few milliseconds;
 * the bundlers run in a process of their own, whose words go to the file descriptor `output`.
 */
export async function ensureBuilt(root: string, names: readonly PartName[], output: 1 | 2): Promise<Built> {
  const stale = staleParts(root, names)
  if (stale.length === 0) return { state: 'ready' }
  const build = path.join(import.meta.dirname, 'build.ts')
  const child = spawn(process.execPath, [build, ...stale.map((part) => part.name)], {
    stdio: ['ignore', output, 2],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  // A source that was saved during the build is for the next start.
  if (code === 0) return { state: 'ready' }
  const left = staleParts(root, names)
  if (left.length === 0) return { state: 'ready' }
  const missing = left.filter((part) => !isThere(root, part))
  return missing.length === 0 ? { state: 'old', parts: left } : { state: 'missing', parts: missing }
}

function staleParts(root: string, names: readonly PartName[]): Part[] {
  return PARTS.filter((part) => names.includes(part.name) && whyStale(root, part.name) !== undefined)
}

/** Whether every entry of a part is there, of whatever build. */
function isThere(root: string, part: Part): boolean {
  return builtEntries(part).every((file) => existsSync(path.join(root, 'dist', part.folder, file)))
}

function builtEntries(part: Part): string[] {
  if (part.recipe.kind === 'page') return ['index.html']
  if (part.recipe.kind === 'workspace') return ['types/stamp']
  const extension = part.recipe.format === 'cjs' ? 'cjs' : 'js'
  return Object.keys(part.recipe.entries).map((name) => `${name}.${extension}`)
}
