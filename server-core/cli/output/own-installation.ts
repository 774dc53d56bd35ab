import { realpathSync } from 'node:fs'
import path from 'node:path'
import { productVersion } from '../../host/version.ts'
import { installationAt, isPackaged, type Installation } from '../../product/installation.ts'

/** How this copy of Patchbay was installed. */
export function installation(): Installation {
  if (!isPackaged) return { type: 'clone' }
  return installationAt(path.resolve(path.dirname(ownProgram()), '..', '..'), productVersion)
}

/** The file of this command line. */
export function ownProgram(): string {
  return realpathSync(process.argv[1] ?? '')
}
