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
      build.onResolve({ filter: /^node:/ }, ({ path, kind }) => {
        const waits = kind === 'import-statement' && isBuiltin(path) && typeof builtin(path) === 'object'
        return waits ? { path, namespace: NAMESPACE } : undefined
      })
      build.onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => {
        const members = Object.keys(builtin(path) ?? {}).map((name) => {
          const quoted = JSON.stringify(name)
          return `  get ${quoted}() { return loaded()[${quoted}] },`
        })
        const contents = [
          'let module$;',
          `const loaded = () => module$ ??= process.getBuiltinModule(${JSON.stringify(path)});`,
          'module.exports = {',
          ...members,
          '};',
        ]
        return { contents: contents.join('\n'), loader: 'js' }
      })
    },
  }
}

/** A module of Node; some are functions, which cannot be stood in for. */
function builtin(path: string): object | undefined {
  return process.getBuiltinModule(path)
}
