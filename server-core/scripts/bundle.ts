import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { BuildFailure, Message, Metafile, Plugin } from 'esbuild'
import type { DefinitionComment } from './comments/definition-comments.ts'
import type { ScriptEntries } from './entries.ts'
import { MODULE_OPTIONS, withEsbuild } from './esbuild-service.ts'
import { scriptModules } from './script-modules.ts'
import { ScriptError, type SourcePlace } from './script-error.ts'
import { messageOf } from '../protocol/error-message.ts'

export type Bundle = {
  readonly code: string
  /** Of the code and its source map: the same hash is the same behaviour, at the same lines. */
  readonly hash: string
  /** Absolute paths of the files of the workspace that went in. */
  readonly inputs: readonly string[]
}

/** What a bundle is made of, both from the folder of the workspace. */
export type BundleRequest = {
  /** Undefined for the configuration alone. */
  readonly script: string | undefined
  /** Undefined where the workspace has none. */
  readonly config: string | undefined
}

export type BundlePlace = {
  /** Absolute folder of the workspace. */
  readonly folder: string
  /** Absolute folder in which the bundles will stand. */
  readonly into: string
  readonly entries: ScriptEntries
}

/** The result of one request, in its place among the others. */
export type Bundled = Bundle | ScriptError

const ENTRY = 'patchbay-entry'

/**
 * Makes of each request one module of a script and what it imports from its workspace; packages and Node's own modules
 * stay imports. All of them are made in one pass, which costs little more than one does; a bundle does not depend on what
 * else is made in its pass. Gives a `ScriptError` for one that cannot be made: `missing` if there is no such file,
 * `build` with the place of what is wrong.
 */
export async function bundleScripts(
  place: BundlePlace,
  requests: readonly BundleRequest[],
): Promise<readonly Bundled[]> {
  const unreadable = await Promise.all(requests.map((request) => whyUnreadable(place.folder, request)))
  const readable = requests.filter((_, index) => unreadable[index] === undefined)
  const made = readable.length === 0 ? [] : await bundled(place, readable)
  const next = made.values()
  return unreadable.map((error) => error ?? (next.next().value as Bundled))
}

/** Where one is broken, nothing is made of the others in the same pass: so it is looked for. */
async function bundled(place: BundlePlace, requests: readonly BundleRequest[]): Promise<readonly Bundled[]> {
  const { folder, entries } = place
  const modules = scriptModules(entries)
  try {
    const { outputFiles, metafile } = await pass(place, requests, modules.plugin)
    const inputs = new ModuleInputs(folder, metafile, modules.asked)
    const codes = new Map(outputFiles.map(({ path: file, text }) => [path.parse(file).name, text]))
    return requests.map((_, index) => {
      const files = inputs.of(`${ENTRY}:${index}`)
      const code = withComments(codes.get(String(index)) ?? '', folder, files, modules.comments)
      return {
        code,
        hash: createHash('sha256').update(code).digest('hex').slice(0, 32),
        inputs: files,
      }
    })
  } catch (error) {
    if (!isBuildFailure(error)) throw error
    const [{ script, config } = { script: undefined, config: undefined }, ...others] = requests
    if (others.length === 0) {
      return [buildError(error.errors, folder, script ?? config ?? '', [...modules.inputs].toSorted())]
    }
    const half = Math.ceil(requests.length / 2)
    const first = await bundled(place, requests.slice(0, half))
    return [...first, ...(await bundled(place, requests.slice(half)))]
  }
}

/** Adds what the comments of its modules say of definitions, behind all else, so that no line moves. */
function withComments(
  code: string,
  folder: string,
  files: readonly string[],
  comments: ReadonlyMap<string, readonly DefinitionComment[]>,
): string {
  const entries = files.flatMap((file) => {
    const found = comments.get(file)
    return found === undefined
      ? []
      : [[path.relative(folder, file).replaceAll(path.sep, '/'), found] as const]
  })
  if (entries.length === 0) return code
  const map = code.lastIndexOf('//# sourceMappingURL=')
  const end = map === -1 ? code.length : map
  const added = `export const comments = ${JSON.stringify(Object.fromEntries(entries))};\n`
  return `${code.slice(0, end)}${added}${code.slice(end)}`
}

async function pass({ folder, into }: BundlePlace, requests: readonly BundleRequest[], modules: Plugin) {
  return withEsbuild(({ build }) =>
    build({
      entryPoints: requests.map((_, index) => ({ in: `${ENTRY}:${index}`, out: String(index) })),
      absWorkingDir: folder,
      outdir: into,
      plugins: [requested(folder, requests), modules],
      ...MODULE_OPTIONS,
    }),
  )
}

/** Provides each request with a module of its own. */
function requested(folder: string, requests: readonly BundleRequest[]): Plugin {
  return {
    name: ENTRY,
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${ENTRY}:`) }, ({ path: name, kind }) =>
        kind === 'entry-point' ? { path: name.slice(ENTRY.length + 1), namespace: ENTRY } : undefined,
      )
      build.onLoad({ filter: /.*/, namespace: ENTRY }, ({ path: index }) => {
        const { script, config } = requests[Number(index)] ?? {}
        const contents = Object.entries({ script, config })
          .flatMap(([name, file]) =>
            file === undefined ? [] : [`export * as ${name} from ${JSON.stringify(`./${file}`)}`],
          )
          .join('\n')
        return { contents, resolveDir: folder, loader: 'js' }
      })
    },
  }
}

/** Which files of the workspace went into each of the modules that were made in one pass. */
class ModuleInputs {
  readonly #folder: string
  readonly #imports: Metafile['inputs']
  readonly #asked: ReadonlyMap<string, ReadonlySet<string>>

  constructor(folder: string, { inputs }: Metafile, asked: ReadonlyMap<string, ReadonlySet<string>>) {
    this.#folder = folder
    this.#imports = inputs
    this.#asked = asked
  }

  /** Absolute paths of what a module imports, and what that does; those too by which it was asked for. */
  of(entry: string): readonly string[] {
    const files = new Set<string>()
    const seen = new Set([entry])
    for (const name of seen) {
      const isEntry = name === entry
      const file = path.resolve(this.#folder, name)
      if (!isEntry) files.add(file)
      for (const asked of this.#asked.get(isEntry ? name.slice(ENTRY.length + 1) : file) ?? [])
        files.add(asked)
      for (const { path: imported, external } of this.#imports[name]?.imports ?? []) {
        if (external !== true && this.#imports[imported] !== undefined) seen.add(imported)
      }
    }
    return [...files].toSorted()
  }
}

async function whyUnreadable(
  folder: string,
  { script, config }: BundleRequest,
): Promise<ScriptError | undefined> {
  for (const file of [script, config]) {
    if (file === undefined) continue
    try {
      await readFile(path.join(folder, file))
    } catch (cause) {
      const reason = messageOf(cause)
      const inputs = [path.join(folder, file)]
      return new ScriptError('missing', `${file} cannot be read: ${reason}`, { cause, inputs })
    }
  }
  return undefined
}

function buildError(
  messages: readonly Message[],
  folder: string,
  file: string,
  inputs: readonly string[],
): ScriptError {
  const [first] = messages
  const at = placeOf(first, folder)
  const others = messages.length > 1 ? `, and ${messages.length - 1} more` : ''
  const message = `${file} cannot be built: ${first?.text ?? 'the reason is not known'}${others}.`
  return new ScriptError('build', message, { at, inputs })
}

function placeOf(message: Message | undefined, folder: string): SourcePlace | undefined {
  const location = message?.location
  if (location === null || location === undefined) return undefined
  const { file, line, column, lineText } = location
  if (file.startsWith(`${ENTRY}:`)) return undefined
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

/** Whether an error of esbuild is about what it was to build. */
export function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors)
}
