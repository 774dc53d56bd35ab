import { isBuiltin } from 'node:module'
import type { Plugin } from 'esbuild'

const NAMESPACE = 'node-on-demand'

/**
 * Lets a bundle load Node's own modules when something of them is used first, not when the bundle starts: an import
 * of `node:crypto` or `node:fs` alone costs a tenth of a bare start, and few commands need them.
 */
export function nodeOnDemand(): Plugin {
  return {
    name: NAMESPACE,
    setup(build) {
      build.onResolve({ filter: /^node:/ }, ({ path, kind, importer }) => {
        if (kind !== 'import-statement' || !isBuiltin(path)) return undefined
        // A few modules are functions. Our own sources take members of them by name; packages may take them whole.
        const standsIn = typeof builtin(path) === 'object' || !importer.includes('node_modules')
        return standsIn ? { path, namespace: NAMESPACE } : undefined
      })
      build.onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => {
        // esbuild gives each importer an object of the same prototype: it finds its members there, and keeps them.
        const contents = [
          'let module$;',
          `const loaded = () => module$ ??= process.getBuiltinModule(${JSON.stringify(path)});`,
          'module.exports = Object.create(new Proxy({}, {',
          '  get(none, name, asked) {',
          '    if (name === "__esModule") return undefined;',
          '    const value = loaded()[name];',
          '    Object.defineProperty(asked, name, { value });',
          '    return value;',
          '  },',
          '  has: (none, name) => name in loaded(),',
          '}));',
        ]
        return { contents: contents.join('\n'), loader: 'js' }
      })
    },
  }
}

function builtin(path: string): unknown {
  return process.getBuiltinModule(path)
}
