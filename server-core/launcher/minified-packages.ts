import { readFile } from 'node:fs/promises'
import { transform, type Plugin } from 'esbuild'

const IS_MODULE = /^\s*(?:import|export)\b/m

/** Shortens the local names in the files of packages. Our own keep theirs, for the sake of stack traces. */
export function minifiedPackages(): Plugin {
  return {
    name: 'minified-packages',
    setup(build) {
      build.onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path: file }) => {
        const text = await readFile(file, 'utf8')
        const { code } = await transform(text, {
          minify: true,
          legalComments: 'none',
          // A file without imports and exports is taken for a script, whose global names stay, unless this says otherwise.
          ...(IS_MODULE.test(text) ? {} : { format: 'cjs' }),
        })
        return { contents: code, loader: 'js' }
      })
    },
  }
}
