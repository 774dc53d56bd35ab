import { CodedError } from '../protocol/coded-error.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { npmProgram } from './npm-program.ts'
import { installedPackage, PINNED, type PinnedPackage } from './pinned-package.ts'

/** Milliseconds that a slow network may take. */
const LIMIT_MS = 900_000

/** A package could not be fetched. The message has cause and remedy. */
export class DownloadError extends CodedError<'download-failed'> {
  override readonly name = 'DownloadError'

  constructor(message: string, options?: ErrorOptions) {
    super('download-failed', message, options)
  }
}

/**
 * Installs a pinned package into the user's cache, if it is not there. No script of a package runs.
 *
 * @returns the folder of the package
 * @throws DownloadError
 */
export async function installPinned(pinned: PinnedPackage, signal?: AbortSignal): Promise<string> {
  const there = installedPackage(pinned)
  if (there !== undefined) return there
  const { title } = PINNED[pinned.name]
  const npm = npmProgram()
  if (npm === undefined) {
    const message = `${title} is fetched by npm, which was not found. Install npm, or put it on PATH.`
    throw new DownloadError(message)
  }
  const parent = path.dirname(pinned.folder)
  try {
    await mkdir(parent, { recursive: true })
    const beside = await mkdtemp(`${pinned.folder}-`)
    try {
      await cp(pinned.lock, beside, { recursive: true })
      await npmInstall(npm, beside, signal)
      await rename(beside, pinned.folder).catch(unlessThere)
    } finally {
      await rm(beside, { recursive: true, force: true })
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DownloadError(`${title} ${pinned.version} could not be fetched: ${reason}`, { cause })
  }
  const folder = installedPackage(pinned)
  if (folder !== undefined) return folder
  throw new DownloadError(`${title} ${pinned.version} was fetched, but has no files for this system.`)
}

/** Another process may have installed the same meanwhile. */
function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
}

async function npmInstall(npm: string, folder: string, signal: AbortSignal | undefined): Promise<void> {
  const limit = AbortSignal.timeout(LIMIT_MS)
  const flags = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--omit=dev',
    '--loglevel=error',
    '--no-progress',
  ]
  const child = spawn(process.execPath, [npm, 'ci', ...flags, '--prefix', folder], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: userEnvironment(),
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
  })
  let words = ''
  child.stderr.on('data', (bytes: Buffer) => (words = (words + bytes.toString()).slice(-4_000)))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code === 0) return
  const lines = words.split('\n').filter((line) => line !== '' && !line.includes('A complete log'))
  throw new Error(lines.map((line) => line.replace(/^npm (?:error|ERR!) ?/, '')).join(' ') || 'npm failed')
}

/** Without what a running npm says about the project that it was started in; its settings stay. */
function userEnvironment(): NodeJS.ProcessEnv {
  const LOCAL =
    /^npm_(?:package_|lifecycle_|command$|config_(?:local_prefix|prefix|package|global|location|omit)$)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !LOCAL.test(name)))
}
