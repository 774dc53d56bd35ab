import { existsSync, realpathSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Surroundings } from '../../install/client-file.ts'
import type { Launcher } from '../../install/our-entry.ts'
import type { Installation } from '../../product/installation.ts'

/**
 * How a command line is started from anywhere, in a way that survives upgrades: an installed package by the path that
 * each version of it has, one in the cache of npx by npx, and a clone by its built file.
 *
 * @param program the built command line, absolute
 */
export function launcherOf(program: string, installation: Installation = { type: 'clone' }): Launcher {
  if (installation.type === 'npx') {
    const { spec: program } = installation
    return process.platform === 'win32'
      ? { command: 'cmd', before: ['/c', 'npx', '-y'], program, env: {} }
      : { command: 'npx', before: ['-y'], program, env: {} }
  }
  const isApp = 'electron' in process.versions
  const started = installation.type === 'clone' ? program : installation.program
  return {
    command: isApp || installation.type === 'clone' ? process.execPath : stableNode(),
    program: started,
    env: isApp ? { ELECTRON_RUN_AS_NODE: '1' } : {},
  }
}

/**
 * Node by the link on PATH that leads to it, if there is one: package managers of systems keep that link and put each
 * version in a folder of its own. Links that only one shell or one project has do not count.
 */
function stableNode(): string {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const folders = (process.env['PATH'] ?? process.env['Path'] ?? '').split(path.delimiter)
  const links = folders
    .filter((folder) => path.isAbsolute(folder) && !/node_modules|multishells/.test(folder))
    .map((folder) => path.join(folder, name))
  return links.find((link) => existsSync(link) && realpathSync(link) === process.execPath) ?? process.execPath
}

/** This machine, as the places of other clients depend on it. */
export function thisMachine(): Surroundings {
  return { platform: process.platform, env: process.env, home: os.homedir() }
}
