import path from 'node:path'
import type { Plugin } from 'esbuild'

/**
 * Leaves modules out that another bundle has.
 *
 * @param elsewhere module below the root, or name of a package → what the files of this bundle import instead
 */
export function modulesElsewhere(root: string, elsewhere: Readonly<Record<string, string>>): Plugin {
  const others = new Map(
    Object.entries(elsewhere).map(
      ([module, name]) => [module.includes('/') ? path.resolve(root, module) : module, name] as const,
    ),
  )
  return {
    name: 'modules-elsewhere',
    setup(build) {
      build.onResolve({ filter: /./ }, ({ path: asked, resolveDir }) => {
        const name = others.get(asked.startsWith('.') ? path.resolve(resolveDir, asked) : asked)
        return name === undefined ? undefined : { path: name, external: true }
      })
    },
  }
}
