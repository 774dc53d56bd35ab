import { PACKAGE_NAME } from '../../server-core/product/package-name.ts'
import { ENTRY_POINTS } from '../public-exports.ts'
import { PACKAGE_IMPORTS } from './package-parts.ts'

/** What the package takes over from the `package.json` of the clone. */
export type CloneManifest = {
  readonly version: string
  readonly description: string
  readonly license: string
  readonly dependencies: Readonly<Record<string, string>>
}

/** The `package.json` of the package. */
export function packageManifest(clone: CloneManifest): object {
  const { version, description, license, dependencies } = clone
  return {
    name: PACKAGE_NAME,
    version,
    description,
    license,
    keywords: ['mcp', 'model-context-protocol', 'inspector', 'server', 'client', 'testing'],
    type: 'module',
    bin: { [PACKAGE_NAME]: 'bin/patchbay.cjs', patchbay: 'bin/patchbay.cjs' },
    exports: {
      ...Object.fromEntries(
        Object.entries(ENTRY_POINTS).map(([name, file]) => [subpath(name), conditions(file)]),
      ),
      './package.json': './package.json',
    },
    imports: PACKAGE_IMPORTS,
    engines: { node: '>=22.12' },
    sideEffects: false,
    // It starts a program of its own, so it cannot be bundled.
    dependencies: { esbuild: dependencies['esbuild'] },
    // Of the entry points `test` and `reporter` alone.
    peerDependencies: { '@playwright/test': '>=1.60' },
    peerDependenciesMeta: { '@playwright/test': { optional: true } },
  }
}

/** `patchbay/client` → `./client`. */
function subpath(entry: string): string {
  return entry.replace(/^patchbay/, '.')
}

function conditions(file: string): object {
  return { types: `./types/api/${file}.d.ts`, default: `./dist/api/${file}.js` }
}
