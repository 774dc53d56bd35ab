import path from 'node:path'

const GYP_FOLDER = /[\\/]@npmcli[\\/]run-script[\\/]lib[\\/]node-gyp-bin[\\/]?$/

/**
 * The PATH as the user has it: npm puts `node_modules/.bin` of the project and of every folder above it, and a
 * folder of its own, in front. With these, `node` would mean the one that Patchbay brings for itself.
 *
 * @param given the PATH of this process
 * @param root the project that npm runs
 */
export function userPath(given: string, root: string): string {
  const added = new Set<string>()
  for (let folder = root; ; folder = path.dirname(folder)) {
    added.add(path.join(folder, 'node_modules', '.bin'))
    if (path.dirname(folder) === folder) break
  }
  return given
    .split(path.delimiter)
    .filter((entry) => entry === '' || !(added.has(path.normalize(entry)) || GYP_FOLDER.test(entry)))
    .join(path.delimiter)
}

/** Sets the user's own PATH for this process and its children. */
export function useUserPath(root: string): void {
  const given = process.env['PATH']
  if (given !== undefined) process.env['PATH'] = userPath(given, root)
}
