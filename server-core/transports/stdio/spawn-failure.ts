import { accessSync, constants, openSync, readSync, closeSync, statSync, type Stats } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { TransportError, type TransportEvidence } from '../../ports/contract.ts'
import { foreignFormat, programFormat } from './program-format.ts'
import { messageOf } from '../../protocol/error-message.ts'

export type SpawnRequest = {
  readonly command: string
  readonly cwd?: string
  readonly env: Readonly<Record<string, string>>
}

/**
 * Returns why a process could not be started: the system reports ENOENT for a missing command, a missing folder and
 * a missing interpreter alike, so the file system is asked which it was.
 */
export function spawnFailure(request: SpawnRequest, cause: unknown): TransportError {
  const systemCode = systemCodeOf(cause)
  const { command, cwd } = request
  const folderProblem = cwd === undefined ? undefined : problemOfFolder(cwd)
  const evidence = {
    command,
    program: command,
    ...(systemCode === undefined ? {} : { systemCode }),
    ...(cwd === undefined ? {} : { folder: cwd }),
    ...(folderProblem === undefined ? {} : { folderProblem }),
  }
  const fail = (message: string, further: TransportEvidence = {}): TransportError =>
    new TransportError('spawn-failed', message, { ...evidence, ...further }, { cause })

  if (cwd !== undefined && folderProblem !== undefined) {
    const what = folderProblem === 'missing' ? 'is not there' : 'is a file'
    return fail(`the folder ${cwd} to start "${command}" in ${what}; choose a folder that exists`)
  }
  const { found, searched } = locate(request)
  if (found === undefined) {
    return fail(
      searched === undefined
        ? `the command "${command}" is not there (ENOENT); check the path`
        : `the command "${command}" was not found in the ${searched} folders of PATH (ENOENT); install it or give its full path`,
    )
  }
  if (statOf(found)?.isDirectory() === true)
    return fail(`"${found}" is a folder, not a program (${systemCode ?? 'EACCES'})`)
  if (!isExecutable(found)) {
    return fail(
      `"${found}" is not executable (${systemCode ?? 'EACCES'}); make it so (chmod +x) or start it by its interpreter`,
    )
  }
  const madeFor = foreignFormat(found)
  if (madeFor !== undefined) {
    return fail(
      `"${found}" was made for ${madeFor}, and this is ${process.platform} on ${process.arch} (${systemCode ?? 'ENOEXEC'}); install the one for this machine`,
      { madeFor },
    )
  }
  if (systemCode === 'ENOENT' && programFormat(found) !== undefined) {
    return fail(
      `"${found}" needs a loader of another system, which is not there (ENOENT); install the one for this system`,
      { interpreter: 'its loader' },
    )
  }
  const interpreter = interpreterOf(found)
  if (systemCode === 'ENOENT' && interpreter !== undefined) {
    return fail(`"${found}" names an interpreter that is not there: ${interpreter} (ENOENT)`, { interpreter })
  }
  const reason = messageOf(cause)
  return fail(`"${found}" could not be started: ${reason}`)
}

/**
 * For which other machine the program was made, if it was: some systems give what they cannot run to a shell, which fails
 * by whatever the file contains.
 */
export function foreignProgram(request: SpawnRequest): string | undefined {
  const { found } = locate(request)
  return found === undefined ? undefined : foreignFormat(found)
}

function problemOfFolder(path: string): 'missing' | 'not-a-folder' | undefined {
  const stats = statOf(path)
  if (stats === undefined) return 'missing'
  return stats.isDirectory() ? undefined : 'not-a-folder'
}

/** Where a command would be found: as a path, or in the child's PATH. `searched` counts the PATH entries. */
function locate({ command, cwd, env }: SpawnRequest): { found?: string; searched?: number } {
  if (
    command.includes('/') ||
    (process.platform === 'win32' && command.includes('\\')) ||
    isAbsolute(command)
  ) {
    const path = resolve(cwd ?? '.', command)
    return statOf(path) === undefined ? {} : { found: path }
  }
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const candidates = folders
    .map((folder) => join(folder, command))
    .filter((path) => statOf(path)?.isFile() === true)
  const found = candidates.find(isExecutable) ?? candidates[0]
  return { searched: folders.length, ...(found === undefined ? {} : { found }) }
}

function systemCodeOf(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** What the first line `#!…` of a script names. */
function interpreterOf(path: string): string | undefined {
  try {
    const file = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(256)
      const text = bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0))
      return /^#!\s*([^\r\n]+)/.exec(text)?.[1]?.trim()
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}
