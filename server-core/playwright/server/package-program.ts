import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isJsonObject } from '../../protocol/json.ts'
import { TestSetupError } from '../test-error.ts'

/** A program with its first arguments. */
export type Program = { readonly command: string; readonly args: readonly string[] }

/** Programs of a clone, which runs from its sources. */
const OF_CLONE = { cli: 'server-core/launcher/patchbay.ts', window: 'server-core/launcher/start.ts' } as const

/** The command line that belongs to this file, installed or in a clone. */
export function patchbayProgram(): Program {
  const root = packageRoot()
  const inClone = path.join(root, OF_CLONE.cli)
  return node(existsSync(inClone) ? inClone : path.join(root, binOf(root)))
}

/** What shows the window: the command line itself where it is installed. */
export function windowProgram(): Program {
  const inClone = path.join(packageRoot(), OF_CLONE.window)
  return existsSync(inClone) ? node(inClone) : patchbayProgram()
}

function node(file: string): Program {
  return { command: process.execPath, args: [file] }
}

/** The folder of the package that this file is in. */
function packageRoot(): string {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json'))) return folder
    if (path.dirname(folder) === folder)
      throw new TestSetupError(
        'server',
        `${import.meta.filename} is in no package; install mcp-patchbay again`,
      )
  }
}

function binOf(root: string): string {
  const manifest: unknown = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const bins = isJsonObject(manifest) ? manifest['bin'] : undefined
  const bin = isJsonObject(bins) ? (bins['patchbay'] ?? bins['mcp-patchbay']) : bins
  if (typeof bin === 'string') return bin
  throw new TestSetupError('server', `${root}/package.json names no command line; install mcp-patchbay again`)
}
