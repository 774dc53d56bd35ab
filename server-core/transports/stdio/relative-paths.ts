import { isAbsolute } from 'node:path'

const SCRIPT = /\.(?:[cm]?[jt]s|py|rb|sh|jar|json|toml|ya?ml)$/i

/**
 * The arguments that look like paths relative to the folder a process starts in. Flags, addresses, absolute paths
 * and names of packages such as `@scope/name` are not among them.
 */
export function relativePathsIn(args: readonly string[]): string[] {
  return args.filter(
    (arg) =>
      !/^[-@~]|\s|:\/\//.test(arg) &&
      !isAbsolute(arg) &&
      (/^\.{1,2}$|^\.{1,2}[\\/]|[\\/]/.test(arg) || SCRIPT.test(arg)),
  )
}
