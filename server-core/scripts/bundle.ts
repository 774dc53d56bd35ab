import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { BuildFailure, BuildResult, Message } from 'esbuild'
import type { ScriptEntries } from './entries.ts'
import { scriptModules } from './script-modules.ts'
import { ScriptError, type SourcePlace } from './script-error.ts'

/** Milliseconds without a build after which esbuild's process ends; it starts again with the next one. */
const BUNDLER_IDLE_MS = 60_000

export type Bundle = {
  readonly code: string
  /** Of the code and its source map: the same hash is the same behaviour, at the same lines. */
  readonly hash: string
  /** Absolute paths of the files of the workspace that went in. */
  readonly inputs: readonly string[]
}

export type BundleRequest = {
  /** Absolute. */
  readonly folder: string
  /** From the folder; undefined for the configuration alone. */
  readonly script: string | undefined
  /** From the folder; undefined where the workspace has none. */
  readonly config: string | undefined
  /** Absolute folder in which the bundle will stand. */
  readonly into: string
  readonly entries: ScriptEntries
}

let builds = 0
let idle: NodeJS.Timeout | undefined

/**
 * Makes one module of a script and what it imports from its workspace; packages and Node's own modules stay imports.
 * Rejects with a `ScriptError`: `missing` if there is no such file, `build` with the place of what is wrong.
 */
export async function bundleScript(request: BundleRequest): Promise<Bundle> {
  const { folder, script, config, into, entries } = request
  const named = { script, config }
  for (const file of Object.values(named)) if (file !== undefined) await requireReadable(folder, file)
  const { build, stop } = await import('esbuild')
  const { plugin, inputs } = scriptModules(entries)
  builds += 1
  let result: BuildResult<{ write: false }>
  try {
    result = await build({
      stdin: {
        contents: Object.entries(named)
          .flatMap(([name, file]) =>
            file === undefined ? [] : [`export * as ${name} from ${JSON.stringify(`./${file}`)}`],
          )
          .join('\n'),
        resolveDir: folder,
        sourcefile: 'patchbay-entry.js',
        loader: 'js',
      },
      absWorkingDir: folder,
      outfile: path.join(into, 'script.mjs'),
      write: false,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node22',
      charset: 'utf8',
      legalComments: 'none',
      sourcemap: 'inline',
      // A script runs the same whatever compiler options an editor likes.
      tsconfigRaw: { compilerOptions: { target: 'ES2024', jsx: 'react-jsx' } },
      plugins: [plugin],
      logLevel: 'silent',
    })
  } catch (error) {
    if (!isBuildFailure(error)) throw error
    throw buildError(error.errors, folder, script ?? config ?? '', [...inputs])
  } finally {
    builds -= 1
    clearTimeout(idle)
    idle = setTimeout(() => {
      if (builds === 0) void stop()
    }, BUNDLER_IDLE_MS).unref()
  }
  const code = result.outputFiles[0]?.text ?? ''
  return {
    code,
    hash: createHash('sha256').update(code).digest('hex').slice(0, 32),
    inputs: [...inputs].toSorted(),
  }
}

async function requireReadable(folder: string, file: string): Promise<void> {
  try {
    await readFile(path.join(folder, file))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ScriptError('missing', `${file} cannot be read: ${reason}`, {
      cause,
      inputs: [path.join(folder, file)],
    })
  }
}

function buildError(
  messages: readonly Message[],
  folder: string,
  file: string,
  inputs: readonly string[],
): ScriptError {
  const [first] = messages
  const at = placeOf(first, folder)
  const where = at === undefined ? '' : ` (${at.file}:${at.line}:${at.column})`
  const others = messages.length > 1 ? `, and ${messages.length - 1} more` : ''
  const message = `${file} cannot be built: ${first?.text ?? 'the reason is not known'}${where}${others}.`
  return new ScriptError('build', message, { at, inputs })
}

function placeOf(message: Message | undefined, folder: string): SourcePlace | undefined {
  const location = message?.location
  if (location === null || location === undefined) return undefined
  const { file, line, column, lineText } = location
  if (file === 'patchbay-entry.js') return undefined
  const absolute = path.resolve(folder, file)
  const relative = path.relative(folder, absolute)
  return {
    file: relative.startsWith('..') ? absolute : relative.replaceAll(path.sep, '/'),
    line,
    // It counts bytes from 0.
    column: Buffer.from(lineText).subarray(0, column).toString().length + 1,
    text: lineText,
  }
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors)
}
