import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { isPackaged } from '../../../product/installation.ts'

/** The folder that the command line runs from: that of the build, or of the sources. */
function programFolder(): string {
  return path.dirname(realpathSync(process.argv[1] ?? ''))
}

/** The folder of all built files. */
export function distFolder(): string {
  return path.join(programFolder(), '..')
}

/** The folder that Electron is started with: it has the desktop shell as its main file. */
export function shellFolder(): string {
  return isPackaged ? path.join(programFolder(), '..', 'electron') : path.join(programFolder(), '..', '..')
}

/** The modules that run scripts. */
export function scriptModules(): string {
  return path.join(programFolder(), '..', 'scripts')
}

/** The module that runs scripts which answer, beside the built command line, or in the sources. */
export function answerModule(): string {
  const built = path.join(programFolder(), 'responder-script.js')
  return existsSync(built) ? built : path.join(programFolder(), '../responders/scripts/script-process.ts')
}

/** The workspace that a profile begins with; nothing is there while the sources run. */
export function firstWorkspace(): string {
  return path.join(programFolder(), '..', 'workspace', 'notes')
}

/** The declarations that are written into workspaces; nothing is there while the sources run. */
export function workspaceTypes(): string {
  return path.join(programFolder(), '..', 'workspace', 'types')
}
