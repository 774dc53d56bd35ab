import path from 'node:path'
import { build, formatMessages, type BuildFailure } from 'esbuild'
import { commonjsNames } from './commonjs-names.ts'
import type { NodeRecipe } from './parts.ts'

/** CommonJS dependencies ask for Node's modules by `require`, which an ES module does not have. */
const REQUIRE_BANNER =
  "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);"

/**
 * Bundles modules for Node (or Electron) into a folder. Gives the absolute paths of the sources that went in,
 * without packages. Throws an error whose message is esbuild's own, with file, line and excerpt.
 */
export async function bundleForNode(root: string, recipe: NodeRecipe, into: string): Promise<string[]> {
  try {
    const result = await build({
      absWorkingDir: root,
      entryPoints: Object.entries(recipe.entries).map(([out, source]) => ({ in: source, out })),
      outdir: into,
      outExtension: { '.js': recipe.format === 'cjs' ? '.cjs' : '.js' },
      bundle: true,
      platform: 'node',
      target: 'node22',
      format: recipe.format,
      splitting: recipe.format === 'esm',
      chunkNames: 'chunks/[name]-[hash]',
      banner: recipe.format === 'esm' ? { js: REQUIRE_BANNER } : {},
      plugins: [commonjsNames()],
      external: ['electron', 'bufferutil', 'utf-8-validate'],
      define: {
        // ws masks frames in JavaScript unless it finds these packages; a stand-in of them breaks longer frames.
        'process.env.WS_NO_BUFFER_UTIL': '"1"',
        'process.env.WS_NO_UTF_8_VALIDATE': '"1"',
      },
      tsconfigRaw: { compilerOptions: { target: 'ES2024', verbatimModuleSyntax: true } },
      legalComments: 'none',
      metafile: true,
      logLevel: 'silent',
    })
    return Object.keys(result.metafile.inputs)
      .filter((input) => !input.includes('node_modules/') && !input.startsWith('<'))
      .map((input) => path.resolve(root, input))
  } catch (error) {
    if (!isBuildFailure(error)) throw error
    const lines = await formatMessages(error.errors, { kind: 'error', color: false })
    throw new Error(lines.join('').trimEnd(), { cause: error })
  }
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors)
}
