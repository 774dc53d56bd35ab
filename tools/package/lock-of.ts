/** The parts of an npm lock file that are used here. */
export type Lock = { readonly lockfileVersion: number; readonly packages: Readonly<Record<string, Locked>> }

type Locked = {
  readonly version?: string
  readonly resolved?: string
  readonly name?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** The files that pin one package and all that it needs, for `npm ci`. */
export type Pinning = { readonly manifest: object; readonly lock: object }

/**
 * Takes a package with its dependencies out of a lock file.
 *
 * @param name the folder of the package in `node_modules`, which may be an alias
 * @param as the name of the package in the registry
 */
export function lockOf(whole: Lock, name: string, as: string): Pinning {
  const packages: Record<string, Locked> = {}
  const add = (from: string, to: string): void => {
    const locked = whole.packages[from]
    if (locked === undefined || packages[to] !== undefined) return
    const { name: _alias, ...rest } = locked
    packages[to] = rest
    for (const dependency of Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })) {
      const nested = `${from}/node_modules/${dependency}`
      const isNested = whole.packages[nested] !== undefined
      const hoisted = `node_modules/${dependency}`
      add(isNested ? nested : hoisted, isNested ? `${to}/node_modules/${dependency}` : hoisted)
    }
  }
  add(`node_modules/${name}`, `node_modules/${as}`)
  const version = packages[`node_modules/${as}`]?.version
  if (version === undefined) throw new Error(`the lock file has no ${name}`)
  const manifest = {
    name: `patchbay-${as}`,
    version: '1.0.0',
    private: true,
    dependencies: { [as]: version },
  }
  const { name: lockName, version: lockVersion, dependencies } = manifest
  const root = { name: lockName, version: lockVersion, dependencies }
  const lock = {
    name: lockName,
    version: lockVersion,
    lockfileVersion: whole.lockfileVersion,
    requires: true,
    packages: { '': root, ...packages },
  }
  return { manifest, lock }
}
