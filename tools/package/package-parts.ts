import { PARTS, type NodeRecipe, type PartName } from '../../server-core/launcher/parts.ts'
import { ENTRY_POINTS } from '../public-exports.ts'

/** A bundle of the package: its folder in `dist` → how it is made. */
export type PackagePart = { readonly folder: string; readonly recipe: NodeRecipe }

function recipeOf(name: PartName): NodeRecipe {
  const recipe = PARTS.find((part) => part.name === name)?.recipe
  if (recipe?.kind !== 'node') throw new Error(`expected ${name} to be a bundle for Node`)
  return { ...recipe, isPackaged: true }
}

const cli = recipeOf('cli')

/** Modules that would be in the package twice: their name inside of it → module below the root. */
const SHARED = {
  '#examine-server': 'server-core/playwright/conformance/examine-server.ts',
  '#re2js': 'node_modules/re2js/build/index.js',
  '#undici': 'undici',
} as const

/** The member `imports` of the package. */
export const PACKAGE_IMPORTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(SHARED).map((name) => [name, `./dist/cli/${name.slice(1)}.js`]),
)

/**
 * The bundles for Node. The window is served by the process of the command line, so both are one bundle, and what both
 * need is in the package once.
 */
export const PACKAGE_PARTS: readonly PackagePart[] = [
  {
    folder: 'cli',
    recipe: {
      ...cli,
      entries: {
        ...cli.entries,
        'desktop-entry': 'server-core/host/desktop-entry.ts',
        ...Object.fromEntries(Object.entries(SHARED).map(([name, module]) => [name.slice(1), module])),
      },
    },
  },
  { folder: 'electron', recipe: recipeOf('shell') },
  { folder: 'electron', recipe: recipeOf('preload') },
  // What scripts import and the entry points share most of their packages.
  {
    folder: '.',
    recipe: {
      kind: 'node',
      format: 'esm',
      entries: {
        ...below('scripts', recipeOf('tool-host').entries),
        ...below(
          'api',
          Object.fromEntries(Object.values(ENTRY_POINTS).map((file) => [file, `api/${file}.ts`])),
        ),
        'schema-check-worker': 'server-core/schema-checks/check-worker.ts',
      },
      isPackaged: true,
      elsewhere: { [SHARED['#examine-server']]: '#examine-server', re2js: '#re2js', undici: '#undici' },
    },
  },
]

function below(folder: string, entries: NodeRecipe['entries']): NodeRecipe['entries'] {
  return Object.fromEntries(Object.entries(entries).map(([name, file]) => [`${folder}/${name}`, file]))
}
