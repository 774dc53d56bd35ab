import os from 'node:os'
import type { Surroundings } from '../../install/client-file.ts'
import type { Launcher } from '../../install/our-entry.ts'

/**
 * How a built command line is started from anywhere: by this very Node, or by the packaged app, whose executable is one.
 *
 * @param program the built command line, absolute
 */
export function launcherOf(program: string): Launcher {
  const isApp = process.versions['electron'] !== undefined
  return { command: process.execPath, program, env: isApp ? { ELECTRON_RUN_AS_NODE: '1' } : {} }
}

/** This machine, as the places of other clients depend on it. */
export function thisMachine(): Surroundings {
  return { platform: process.platform, env: process.env, home: os.homedir() }
}
