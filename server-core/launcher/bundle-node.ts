import path from 'node:path'
import type * as Esbuild from 'esbuild'
import type { BuildFailure, Metafile } from 'esbuild'
import { withEsbuild } from '../scripts/esbuild-service.ts'
import { commonjsNames } from './commonjs-names.ts'
import { englishZod } from './english-zod.ts'
import { mergeStart } from './merge-start.ts'
import { minifiedPackages } from './minified-packages.ts'
import { modulesElsewhere } from './modules-elsewhere.ts'
import { nodeOnDemand } from './node-on-demand.ts'
import type { NodeRecipe } from './parts.ts'
import { undiciPool } from './undici-pool.ts'

/** CommonJS dependencies ask for Node's modules by `require`, which an ES module does not have. Few pieces need it. */
const REQUIRE_BANNER =
  "const require = /* @__PURE__ */ (() => process.getBuiltinModule('node:module').createRequire(import.meta.url))();"

/** What scripts import as zod, with all of it. */
const SCRIPTS_ZOD = 'node_modules/zod/index.js'

export type Bundled = {
  /** Absolute paths of the sources that went in, without packages. */
  readonly sources: readonly string[]
  /** What a start loads at once, where the recipe says what that is: modules relative to the root, packages' too. */
  readonly atStart: readonly string[]
  /** Folders of the packages that went in, relative to the root. */
  readonly packages: readonly string[]
}

/**
 * Bundles modules for Node (or Electron) into a folder. Throws an error whose message is esbuild's own, with file, line
 * and excerpt.
 */
export async function bundleForNode(root: string, recipe: NodeRecipe, into: string): Promise<Bundled> {
  // esbuild's process is shared with what bundles scripts, and a build whose process is stopped never ends.
  return withEsbuild((esbuild) => bundleWith(esbuild, root, recipe, into))
}

async function bundleWith(
  { build, formatMessages }: typeof Esbuild,
  root: string,
  recipe: NodeRecipe,
  into: string,
): Promise<Bundled> {
  const shared = {
    platform: 'node',
    target: 'node22',
    format: recipe.format,
    legalComments: 'none',
    // Names stay, for the sake of stack traces.
    minifyWhitespace: recipe.isPackaged === true,
    minifySyntax: recipe.isPackaged === true,
  } as const
  // Files of one start must never meet those of another build.
  const chunks = recipe.start === undefined ? 'chunks' : `chunks-${Date.now().toString(36)}`
  try {
    const result = await build({
      ...shared,
      absWorkingDir: root,
      entryPoints: Object.entries(recipe.entries).map(([out, source]) => ({ in: source, out })),
      outdir: into,
      outExtension: { '.js': recipe.format === 'cjs' ? '.cjs' : '.js' },
      bundle: true,
      splitting: recipe.format === 'esm',
      chunkNames: `${chunks}/[name]-[hash]`,
      banner: recipe.format === 'esm' ? { js: REQUIRE_BANNER } : {},
      plugins: [
        commonjsNames(),
        ...(recipe.elsewhere?.['undici'] === undefined ? [undiciPool(root)] : []),
        ...(Object.values(recipe.entries).includes(SCRIPTS_ZOD) ? [] : [englishZod()]),
        ...(recipe.elsewhere === undefined ? [] : [modulesElsewhere(root, recipe.elsewhere)]),
        ...(recipe.start === undefined ? [] : [nodeOnDemand()]),
        ...(recipe.isPackaged === true ? [minifiedPackages()] : []),
      ],
      // esbuild finds its own program beside itself.
      external: ['electron', 'bufferutil', 'utf-8-validate', 'esbuild', '@playwright/test'],
      // Its file for CommonJS asks for its parts in a way that no bundler can see.
      alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js', ...ownModules(root, recipe) },
      define: {
        // ws masks frames in JavaScript unless it finds these packages; a stand-in of them breaks longer frames.
        'process.env.WS_NO_BUFFER_UTIL': '"1"',
        'process.env.WS_NO_UTF_8_VALIDATE': '"1"',
        ...(recipe.isPackaged === true && { 'process.env.PATCHBAY_PACKAGED': '"1"' }),
      },
      tsconfigRaw: { compilerOptions: { target: 'ES2024', verbatimModuleSyntax: true } },
      metafile: true,
      logLevel: 'silent',
    })
    const { start } = recipe
    const atStart =
      start === undefined
        ? []
        : await mergeStart(root, result.metafile, start, shared, recipe.isPackaged !== true)
    // Modules that plugins created are listed as `plugin:name`.
    const sources = Object.keys(result.metafile.inputs)
      .filter((input) => !input.includes('node_modules/') && !/^<|^[a-z-]+:/.test(input))
      .map((input) => path.resolve(root, input))
    return { sources, atStart, packages: packagesIn(result.metafile) }
  } catch (error) {
    if (!isBuildFailure(error)) throw error
    const lines = await formatMessages(error.errors, { kind: 'error', color: false })
    throw new Error(lines.join('').trimEnd(), { cause: error })
  }
}

function packagesIn({ inputs }: Metafile): readonly string[] {
  // Modules that plugins created have the path of a package in their names.
  const found = Object.keys(inputs).flatMap(
    (input) => /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? [],
  )
  return [...new Set(found)].sort()
}

function ownModules(root: string, { inPlaceOf = {} }: NodeRecipe): Record<string, string> {
  return Object.fromEntries(
    Object.entries(inPlaceOf).map(([name, module]) => [name, path.resolve(root, module)]),
  )
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors)
}
