import type { Plugin } from 'esbuild'

const NAMESPACE = 'undici-pool'

/**
 * Takes the pool of connections alone from undici. Its index also loads fetch, WebSocket, caches and mocks, which are half
 * a megabyte that nothing here uses.
 */
export function undiciPool(root: string): Plugin {
  return {
    name: NAMESPACE,
    setup(build) {
      build.onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: NAMESPACE }))
      build.onLoad({ filter: /./, namespace: NAMESPACE }, () => ({
        contents: "export { default as Pool } from 'undici/lib/dispatcher/pool.js'",
        resolveDir: root,
      }))
    },
  }
}
