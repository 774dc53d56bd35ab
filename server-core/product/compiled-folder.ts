/**
 * The folder of compiled code: beside the built file in a clone, in the user's cache for the package, whose own folder is
 * not written to. A start loads this before everything else, so it loads no package.
 */
export function compiledFolder(beside: string): string {
  if (process.env['PATCHBAY_PACKAGED'] !== '1') return `${beside}/.compiled`
  const { HOME = '', XDG_CACHE_HOME = '', LOCALAPPDATA = '' } = process.env
  const home = HOME === '' ? process.getBuiltinModule('node:os').homedir() : HOME
  if (process.platform === 'win32')
    return `${LOCALAPPDATA || `${home}/AppData/Local`}/patchbay/Cache/compiled`
  if (process.platform === 'darwin') return `${home}/Library/Caches/patchbay/compiled`
  return `${XDG_CACHE_HOME || `${home}/.cache`}/patchbay/compiled`
}
