import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'

const NAMESPACE = 'commonjs-names'
/** Marks our own questions, so that they are not taken for an import. */
const ASKING = Symbol('asking')

/**
 * Makes `import('package')` of a CommonJS package return the same named exports in a bundle as in Node. Split bundles
 * would have the default export only, so that code which works from source fails when it is built. The names are
 * those that Node finds when it loads the package.
 */
export function commonjsNames(): Plugin {
  return {
    name: 'commonjs-names',
    setup(build) {
      build.onResolve({ filter: /^[^.]/ }, async (request) => {
        if (request.kind !== 'dynamic-import' || request.namespace !== 'file') return undefined
        if (request.pluginData === ASKING) return undefined
        // As Node looks for it: a package may have an ES module for those who import it.
        const {
          path: file,
          external,
          errors,
        } = await build.resolve(request.path, {
          kind: request.kind,
          resolveDir: request.resolveDir,
          pluginData: ASKING,
        })
        if (external || errors.length > 0 || !isCommonJs(file)) return undefined
        return { path: file, namespace: NAMESPACE }
      })
      build.onLoad({ filter: /./, namespace: NAMESPACE }, async ({ path: file }) => {
        const names = Object.keys((await import(pathToFileURL(file).href)) as object)
        const named = names
          .filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && !['default', '__esModule'].includes(name))
          .map((name) => `export const ${name} = module$.${name};`)
        const contents = [
          `const module$ = require(${JSON.stringify(file)});`,
          'export default module$;',
          ...named,
        ]
        return { contents: contents.join('\n'), resolveDir: path.dirname(file), loader: 'js' }
      })
    },
  }
}

/** By Node's rule: the ending, else what the nearest package.json says. */
function isCommonJs(file: string): boolean {
  if (/\.(mjs|json|node)$/.test(file)) return false
  if (file.endsWith('.cjs')) return true
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    try {
      const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
        type?: string
      }
      return manifest.type !== 'module'
    } catch {
      // None in this folder: the one above decides.
    }
  }
  return true
}
