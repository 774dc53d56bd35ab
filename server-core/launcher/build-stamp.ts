import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** A source file as the build read it. A file that changed while it was read has an empty hash and never matches. */
type InputFile = {
  readonly path: string
  readonly mtimeMs: number
  readonly size: number
  readonly hash: string
}

/** What one build of one part was made from and what it made. Paths stand relative to the root, with slashes. */
export type BuildStamp = {
  readonly inputs: readonly InputFile[]
  readonly folders: readonly { readonly path: string; readonly names: string }[]
  readonly outputs: readonly { readonly path: string; readonly size: number }[]
  /** Files of the build before this one; a process that runs it may still load them. */
  readonly replaced: readonly string[]
}

/** Which sources and folders, with every file in them, go into a part. Paths are absolute. */
export type BuildSources = { readonly files: readonly string[]; readonly folders: readonly string[] }

const hashOf = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('base64url')

function stampFile(root: string, part: string): string {
  return path.join(root, 'dist', '.build-stamp', `${part}.json`)
}

/**
 * Files of a folder that a bundler may pick up: everything but tests, texts, and what is hidden, e.g. what serving a
 * workspace leaves in it.
 */
function namesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$|\.md$/.test(entry.name))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter((name) => !/(^|\/)\./.test(name))
    .sort()
}

/**
 * Reads the stamp of a part's last build. Gives undefined if there is none or it cannot be read, which both mean
 * that the part has to be built.
 */
export function readStamp(root: string, part: string): BuildStamp | undefined {
  try {
    const stamp = JSON.parse(readFileSync(stampFile(root, part), 'utf8')) as BuildStamp
    const lists = [stamp.inputs, stamp.folders, stamp.outputs, stamp.replaced]
    return lists.every((list) => Array.isArray(list)) ? stamp : undefined
  } catch {
    return undefined
  }
}

/**
 * Describes a build that is done. `startedAt` is the time in milliseconds when the bundler began to read: a file
 * touched after that may not be what was bundled, so it is recorded as changed.
 */
export function describeBuild(
  root: string,
  sources: BuildSources,
  outputs: readonly string[],
  startedAt: number,
  replaced: readonly string[],
): BuildStamp {
  const relative = (file: string) => path.relative(root, file).replaceAll(path.sep, '/')
  const inFolders = sources.folders.flatMap((folder) =>
    namesIn(folder).map((name) => path.join(folder, name)),
  )
  return {
    inputs: [...new Set([...sources.files, ...inFolders])].sort().map((file) => {
      const { mtimeMs, size } = statSync(file)
      const hash = mtimeMs < startedAt ? hashOf(readFileSync(file)) : ''
      return { path: relative(file), mtimeMs: hash === '' ? 0 : mtimeMs, size, hash }
    }),
    folders: sources.folders.map((folder) => ({
      path: relative(folder),
      names: hashOf(namesIn(folder).join('\n')),
    })),
    outputs: outputs.map((file) => ({ path: relative(file), size: statSync(file).size })),
    replaced,
  }
}

/** Writes the stamp of a part, by rename, so that a reader sees the old one or the new one. */
export function writeStamp(root: string, part: string, stamp: BuildStamp): void {
  const file = stampFile(root, part)
  mkdirSync(path.dirname(file), { recursive: true })
  const temporary = `${file}.${String(process.pid)}`
  writeFileSync(temporary, JSON.stringify(stamp))
  renameSync(temporary, file)
}

/**
 * Returns why a part has to be built, or undefined if it stands. Compares modification time and size first and reads
 * a file only if they differ; a file that was only touched does not count.
 */
export function whyStale(root: string, part: string): string | undefined {
  const stamp = readStamp(root, part)
  if (stamp === undefined) return 'it was never built'
  for (const output of stamp.outputs) {
    const stats = statSync(path.join(root, output.path), { throwIfNoEntry: false })
    if (stats?.size !== output.size) return `${output.path} is missing or was changed`
  }
  for (const folder of stamp.folders) {
    if (statSync(path.join(root, folder.path), { throwIfNoEntry: false }) === undefined)
      return `${folder.path} no longer exists`
    if (hashOf(namesIn(path.join(root, folder.path)).join('\n')) !== folder.names)
      return `files came to or left ${folder.path}`
  }
  let touched = false
  const inputs: InputFile[] = []
  for (const input of stamp.inputs) {
    const file = path.join(root, input.path)
    const stats = statSync(file, { throwIfNoEntry: false })
    if (stats === undefined) return `${input.path} no longer exists`
    if (stats.mtimeMs === input.mtimeMs && stats.size === input.size) {
      inputs.push(input)
      continue
    }
    if (hashOf(readFileSync(file)) !== input.hash) return `${input.path} changed`
    touched = true
    inputs.push({ ...input, mtimeMs: stats.mtimeMs, size: stats.size })
  }
  if (touched) writeStamp(root, part, { ...stamp, inputs })
  return undefined
}
