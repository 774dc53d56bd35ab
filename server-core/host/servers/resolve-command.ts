import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import path from 'node:path'

/**
 * The file that a command would run: itself if it has a folder in it, else the first of its name in PATH.
 * Undefined if there is none that may be run.
 *
 * @param cwd the absolute folder that the process starts in
 */
export async function resolveCommand(
  command: string,
  cwd: string,
  environment: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  if (/[\\/]/.test(command)) {
    return firstExecutable([path.resolve(cwd, command)], environment)
  }
  const folders = (environment['PATH'] ?? environment['Path'] ?? '').split(path.delimiter)
  // An empty part of PATH means the current folder.
  return firstExecutable(
    folders.map((folder) => path.resolve(cwd, folder === '' ? '.' : folder, command)),
    environment,
  )
}

async function firstExecutable(
  files: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const endings = process.platform === 'win32' ? (environment['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';') : []
  for (const file of files) {
    for (const ending of ['', ...endings]) {
      if (await isExecutable(file + ending)) return file + ending
    }
  }
  return undefined
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    // Not there, or not for us to run: both mean that it is not the one.
    return false
  }
}
