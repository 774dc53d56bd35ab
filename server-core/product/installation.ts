import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { PACKAGE_NAME } from './package-name.ts'

/** Whether this is the npm package rather than a clone. The build of the package sets the variable. */
export const isPackaged = process.env['PATCHBAY_PACKAGED'] === '1'

/** How this copy of the program got onto the machine. */
export type Installation =
  | { readonly type: 'clone' }
  /** In the cache of npx or a similar command. `spec` is what installs the same again. */
  | { readonly type: 'npx'; readonly spec: string }
  /** Installed for the user, or in a project. `program` keeps its path across upgrades. */
  | { readonly type: 'global' | 'project'; readonly program: string }

/** The file of the package that the commands run, below its root. */
const PROGRAM = path.join('bin', 'patchbay.cjs')

/**
 * Finds out how the package was installed.
 *
 * @param root absolute, resolved path of the package's folder
 */
export function installationAt(root: string, version: string): Installation {
  const segments = root.split(path.sep)
  const cache = segments.findIndex((name) => name === '_npx' || name === 'dlx' || /^(?:bunx|dlx)-/.test(name))
  if (cache !== -1) return { type: 'npx', spec: cachedSpec(root) ?? `${PACKAGE_NAME}@^${version}` }
  const place = stablePlace(root)
  const program = path.join(place, PROGRAM)
  return { type: isOfProject(place) ? 'project' : 'global', program }
}

/** What is typed before the name of a command. */
export function typedCommand({ type }: Installation): string {
  return type === 'npx' || type === 'project' ? `npx ${PACKAGE_NAME}` : 'patchbay'
}

/** pnpm keeps each version in a folder of its own and links to it from a place that stays the same. */
function stablePlace(root: string): string {
  const [above] = root.split(path.join(path.sep, 'node_modules', '.pnpm', path.sep))
  const linked = path.join(above ?? root, 'node_modules', PACKAGE_NAME)
  return above !== root && existsSync(linked) ? linked : root
}

/** A tarball or folder that npx was started with. */
function cachedSpec(root: string): string | undefined {
  const folder = path.resolve(root, '..', '..')
  const spec = dependenciesIn(folder)[PACKAGE_NAME]
  if (spec?.startsWith('file:') !== true) return undefined
  return path.resolve(folder, spec.slice('file:'.length))
}

function isOfProject(place: string): boolean {
  const folder = path.resolve(place, '..', '..')
  if (folder.split(path.sep).includes('global')) return false
  return dependenciesIn(folder)[PACKAGE_NAME] !== undefined
}

function dependenciesIn(folder: string): Readonly<Record<string, string>> {
  try {
    const file = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
      readonly dependencies?: Readonly<Record<string, string>>
      readonly devDependencies?: Readonly<Record<string, string>>
      readonly optionalDependencies?: Readonly<Record<string, string>>
    }
    return { ...file.optionalDependencies, ...file.devDependencies, ...file.dependencies }
  } catch {
    // A project has a readable package.json.
    return {}
  }
}
