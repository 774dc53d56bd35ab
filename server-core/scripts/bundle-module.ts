import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Metafile } from 'esbuild'
import { isBuildFailure } from './bundle.ts'
import { MODULE_OPTIONS, withEsbuild } from './esbuild-service.ts'
import { ScriptError } from './script-error.ts'
import { scriptModules } from './script-modules.ts'
import { messageOf } from '../protocol/error-message.ts'

/** A module and everything that it imports by a path, as one text. */
export type ModuleBundle = {
  readonly code: string
  /** The files that went in, the module itself first, as they were read. */
  readonly files: readonly BundledFile[]
  /** The packages that it imports, which are not part of it. */
  readonly packages: readonly BundledPackage[]
}

export type BundledFile = {
  /** Absolute, without symbolic links. */
  readonly file: string
  readonly content: Uint8Array
}

export type BundledPackage = {
  readonly name: string
  /** Absolute path of the file that is imported. */
  readonly file: string
}

/**
 * Bundles one module for Node. Packages stay imports.
 *
 * @param file absolute
 * @throws ScriptError if it cannot be read or bundled
 */
export async function bundleModule(file: string): Promise<ModuleBundle> {
  let entry: string
  try {
    entry = await realpath(file)
  } catch (cause) {
    throw new ScriptError('missing', `${file} cannot be read: ${messageOf(cause)}`, { cause })
  }
  const read = new Map<string, Buffer>()
  const { plugin } = scriptModules(undefined, (each, content) => read.set(each, content))
  try {
    const { outputFiles, metafile } = await withEsbuild(({ build }) =>
      build({
        entryPoints: [entry],
        absWorkingDir: path.dirname(entry),
        outdir: path.dirname(entry),
        plugins: [plugin],
        ...MODULE_OPTIONS,
      }),
    )
    const files = [...read].map(([each, content]) => ({ file: each, content }))
    return {
      code: outputFiles[0]?.text ?? '',
      files: files.toSorted(
        (one, other) => Number(other.file === entry) - Number(one.file === entry) || compare(one, other),
      ),
      packages: packagesOf(metafile),
    }
  } catch (cause) {
    if (!isBuildFailure(cause)) throw cause
    const [first] = cause.errors
    const place = first?.location ? `${first.location.file}:${first.location.line}: ` : ''
    const reason = first?.text ?? 'the reason is not known'
    throw new ScriptError('build', `${file} cannot be bundled: ${place}${reason}`, { cause })
  }
}

function packagesOf({ outputs }: Metafile): readonly BundledPackage[] {
  const imported = Object.values(outputs).flatMap(({ imports }) => imports)
  const files = imported.flatMap(({ path: target, external }) =>
    external === true && target.includes('node_modules') ? [pathOf(target)] : [],
  )
  return [...new Set(files)].toSorted().map((file) => ({ name: packageName(file), file }))
}

function pathOf(target: string): string {
  return target.startsWith('file:') ? fileURLToPath(target) : target
}

function packageName(file: string): string {
  const inside = file.split(path.sep)
  const at = inside.lastIndexOf('node_modules')
  const [first = '', second = ''] = inside.slice(at + 1)
  return first.startsWith('@') ? `${first}/${second}` : first
}

function compare(one: BundledFile, other: BundledFile): number {
  return one.file < other.file ? -1 : 1
}
