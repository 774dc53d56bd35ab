import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Loader, OnLoadArgs, OnLoadResult, OnResolveArgs, OnResolveResult, Plugin } from 'esbuild'
import { PACKAGE_NAME } from '../product/package-name.ts'
import type { DefinitionComment } from './comments/definition-comments.ts'
import type { ScriptEntries } from './entries.ts'

/** The module for scripts, by its short name and by that of the package. */
const AUTHORING = ['patchbay', PACKAGE_NAME]
const OWN = new RegExp(String.raw`^(?:(?:${AUTHORING.join('|')})(?:\/yaml)?|zod(?:\/v4)?)$`)
const BARE = /^[^./]/
/** Marks what this plugin itself resolves. */
const ASKED = Symbol('asked')
const LOADERS: Readonly<Record<string, Loader>> = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
  '.jsx': 'jsx',
  '.js': 'js',
  '.mjs': 'js',
  '.cjs': 'js',
}

/**
 * How a script's imports are found: 'patchbay' and zod are ours if `entries` names them, packages stay where they are
 * installed, the rest is part of the bundle. `inputs` are the files of the workspace that were read or asked for,
 * `asked` those that each file asked for, `comments` what the comments in each say of its definitions.
 *
 * @param onRead is passed each file that becomes part of the bundle, as it was read
 */
export function scriptModules(
  entries: ScriptEntries | undefined,
  onRead: (file: string, content: Buffer) => void = () => undefined,
): {
  readonly plugin: Plugin
  readonly inputs: ReadonlySet<string>
  readonly asked: ReadonlyMap<string, ReadonlySet<string>>
  readonly comments: ReadonlyMap<string, readonly DefinitionComment[]>
} {
  const inputs = new Set<string>()
  const asked = new Map<string, Set<string>>()
  const comments = new Map<string, readonly DefinitionComment[]>()
  const plugin: Plugin = {
    name: 'script-modules',
    setup(build) {
      const found = (args: OnResolveArgs) =>
        build.resolve(args.path, {
          kind: args.kind,
          importer: args.importer,
          resolveDir: args.resolveDir,
          pluginData: ASKED,
        })
      build.onResolve({ filter: OWN }, async (args): Promise<OnResolveResult | undefined> => {
        if (args.pluginData === ASKED || entries === undefined) return undefined
        if (AUTHORING.includes(args.path)) return external(entries.authoring, args)
        if (args.path.endsWith('/yaml')) return external(entries.yaml, args)
        const own = await found(args)
        return external(own.errors.length === 0 ? own.path : entries.zod, args)
      })
      build.onResolve({ filter: BARE }, async (args): Promise<OnResolveResult | undefined> => {
        if (args.pluginData === ASKED || args.kind === 'entry-point') return undefined
        const resolved = await found(args)
        if (resolved.errors.length > 0 || resolved.external) return undefined
        return isOfPackage(resolved.path) ? external(resolved.path, args) : undefined
      })
      // A missing file is watched too: it may be created.
      build.onResolve({ filter: /^\.{1,2}\// }, (args) => {
        const file = path.resolve(args.resolveDir, args.path)
        inputs.add(file)
        const ofImporter = asked.get(args.importer)
        if (ofImporter === undefined) asked.set(args.importer, new Set([file]))
        else ofImporter.add(file)
        return undefined
      })
      build.onLoad({ filter: /.*/, namespace: 'file' }, (args) => load(args, inputs, comments, onRead))
    },
  }
  return { plugin, inputs, asked, comments }
}

/** Stays an import of an absolute path, whatever the folder of the bundle. */
function external(file: string, { kind }: OnResolveArgs): OnResolveResult {
  const isRequire = kind === 'require-call' || kind === 'require-resolve'
  return { path: isRequire ? file : pathToFileURL(file).href, external: true }
}

function isOfPackage(file: string): boolean {
  return file.split(path.sep).includes('node_modules')
}

async function load(
  { path: file }: OnLoadArgs,
  inputs: Set<string>,
  comments: Map<string, readonly DefinitionComment[]>,
  onRead: (file: string, content: Buffer) => void,
): Promise<OnLoadResult> {
  inputs.add(file)
  const content = await readFile(file)
  onRead(file, content)
  const loader = LOADERS[path.extname(file)]
  if (loader === undefined) return { contents: content, loader: 'default' }
  const contents = content.toString('utf8')
  const found = await commentsIn(file, contents)
  if (found.length > 0) comments.set(file, found)
  if (!contents.includes('import.meta')) return { contents, loader }
  // A bundle stands elsewhere; the module still says where it was written.
  const { transform } = await import('esbuild')
  try {
    const { code } = await transform(contents, {
      loader,
      sourcefile: file,
      sourcemap: 'inline',
      target: 'esnext',
      define: {
        'import.meta.url': JSON.stringify(pathToFileURL(file).href),
        'import.meta.filename': JSON.stringify(file),
        'import.meta.dirname': JSON.stringify(path.dirname(file)),
      },
    })
    return { contents: code, loader: 'js' }
  } catch {
    // The bundler says what is wrong, and where.
    return { contents, loader }
  }
}

/** The parser is loaded for modules alone that can have such comments. */
async function commentsIn(file: string, contents: string): Promise<readonly DefinitionComment[]> {
  if (!contents.includes('/**') || !contents.includes('patchbay')) return []
  const { definitionComments } = await import('./comments/definition-comments.ts')
  return definitionComments(contents, path.extname(file))
}
