import { existsSync } from 'node:fs'
import path from 'node:path'
import { isPackaged, typedCommand } from '../../product/installation.ts'
import { installation } from './own-installation.ts'

/** What the user types before the name of a command, for hints that show one to run. */
export function ownCommand(env: NodeJS.ProcessEnv = process.env): string {
  if (isPackaged) return typedCommand(installation())
  const folder = env['INIT_CWD']
  const isNpmScript = env['npm_lifecycle_event'] === 'patchbay' && folder !== undefined
  // The script `patchbay` of the README runs npm too, from any folder.
  const isInClone = isNpmScript && existsSync(path.join(folder, 'server-core/launcher/patchbay.ts'))
  return isInClone ? 'npm run -s patchbay --' : 'patchbay'
}
