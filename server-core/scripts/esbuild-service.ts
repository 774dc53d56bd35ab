import type * as Esbuild from 'esbuild'

/** Milliseconds without a build after which esbuild's process ends; it starts again with the next one. */
const IDLE_MS = 60_000

let builds = 0
let idle: NodeJS.Timeout | undefined

/** How modules of users are bundled: one ES module that Node runs, the same whatever compiler options an editor likes. */
export const MODULE_OPTIONS = {
  outExtension: { '.js': '.mjs' },
  write: false,
  metafile: true,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  charset: 'utf8',
  legalComments: 'none',
  sourcemap: 'inline',
  tsconfigRaw: { compilerOptions: { target: 'ES2024', jsx: 'react-jsx' } },
  logLevel: 'silent',
} as const satisfies Esbuild.BuildOptions

/** Runs a build, and ends esbuild's process after a while without one. */
export async function withEsbuild<Result>(
  run: (esbuild: typeof Esbuild) => Promise<Result>,
): Promise<Result> {
  const esbuild = await import('esbuild')
  builds += 1
  try {
    return await run(esbuild)
  } finally {
    builds -= 1
    clearTimeout(idle)
    idle = setTimeout(() => {
      if (builds === 0) void esbuild.stop()
    }, IDLE_MS).unref()
  }
}
