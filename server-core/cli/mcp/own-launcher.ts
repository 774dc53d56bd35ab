import { launcherOf } from '../../host/install/launcher.ts'
import type { Launcher } from '../../install/our-entry.ts'
import { installation, ownProgram } from '../output/own-installation.ts'

/** How this very command line is started by other programs. */
export function ownLauncher(): Launcher {
  return launcherOf(ownProgram(), installation())
}
