import { readFile } from 'node:fs/promises'
import { transform, type Plugin } from 'esbuild'

/** Shortens the local names in the files of packages. Our own keep theirs, for the sake of stack traces. */
export function minifiedPackages(): Plugin {
  return {
    name: 'minified-packages',
    setup(build) {
      build.onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path: file }) => {
        const { code } = await transform(await readFile(file, 'utf8'), {
          minify: true,
          legalComments: 'none',
        })
        return { contents: code, loader: 'js' }
      })
    },
  }
}
