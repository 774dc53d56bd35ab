import { existsSync } from 'node:fs'
import path from 'node:path'

const repository = path.resolve(import.meta.dirname, '../..')

export type Executable = { readonly kind: 'electron' | 'stand-in'; readonly path: string }

/** Electron's own executable if it was fetched, else the stand-in. */
export function shellExecutable(): Executable {
  const dist = path.join(repository, 'node_modules/electron/dist')
  const name =
    process.platform === 'darwin'
      ? 'Electron.app/Contents/MacOS/Electron'
      : process.platform === 'win32'
        ? 'electron.exe'
        : 'electron'
  if (existsSync(path.join(dist, 'version'))) return { kind: 'electron', path: path.join(dist, name) }
  return { kind: 'stand-in', path: path.join(repository, 'e2e/electron-standin/bin/electron') }
}
