import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { downloadArtifact } from '@electron/get'
import type { ProgressLine } from './progress-line.ts'

export type ElectronExecutable =
  | { readonly state: 'ready'; readonly file: string }
  | { readonly state: 'unavailable'; readonly reason: string }

export type FetchOptions = {
  /** Where progress is shown. */
  readonly progress: ProgressLine
  /** Cancels the download. */
  readonly signal: AbortSignal
  /** Milliseconds without a byte after which the download is given up. */
  readonly quietMs: number
  /** Folder of the `electron` package. */
  readonly packageFolder: string
}

/** Milliseconds the package's own script may take to unpack what was fetched. */
const UNPACK_MS = 120_000

/** The folder of the installed `electron` package; a folder without one if there is none. Importing the package itself would start a download. */
export function electronPackageFolder(): string {
  try {
    return path.dirname(createRequire(import.meta.url).resolve('electron/package.json'))
  } catch {
    return import.meta.dirname
  }
}

/**
 * Finds the Electron executable; downloads it if it is missing, with progress shown. Never throws: an obstacle
 * is the reason in the outcome. ELECTRON_OVERRIDE_DIST_PATH and ELECTRON_MIRROR mean what they mean to
 * the package.
 */
export async function electronExecutable(options: FetchOptions): Promise<ElectronExecutable> {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH']
  if (override !== undefined && override !== '') {
    const file = path.join(override, readText(path.join(options.packageFolder, 'path.txt')) ?? 'electron')
    return existsSync(file)
      ? { state: 'ready', file }
      : { state: 'unavailable', reason: `ELECTRON_OVERRIDE_DIST_PATH names a folder without ${file}` }
  }
  const installed = installedExecutable(options.packageFolder)
  if (installed !== undefined) return { state: 'ready', file: installed }
  try {
    await fetchExecutable(options)
  } catch (error) {
    return { state: 'unavailable', reason: `Electron could not be fetched: ${describe(error)}` }
  } finally {
    options.progress.end()
  }
  const fetched = installedExecutable(options.packageFolder)
  return fetched === undefined
    ? { state: 'unavailable', reason: 'Electron was fetched but could not be unpacked' }
    : { state: 'ready', file: fetched }
}

/** The executable that the package was unpacked to, if it is of the package's version. */
export function installedExecutable(packageFolder: string): string | undefined {
  const wanted = packageVersion(packageFolder)
  const there = readText(path.join(packageFolder, 'dist', 'version'))
    ?.trim()
    .replace(/^v/, '')
  const name = readText(path.join(packageFolder, 'path.txt'))
  if (there !== wanted || name === undefined) return undefined
  const file = path.join(packageFolder, 'dist', name)
  return existsSync(file) ? file : undefined
}

/** Downloads into the package's cache, then lets the package's own script unpack from there. */
async function fetchExecutable(options: FetchOptions): Promise<void> {
  const version = packageVersion(options.packageFolder)
  options.progress.step(`Fetching Electron ${version} (once) …`)
  const quiet = new QuietTimer(options.quietMs)
  const cacheRoot = process.env['electron_config_cache']
  const checksums = readText(path.join(options.packageFolder, 'checksums.json'))
  if (checksums === undefined) throw new Error('the electron package is incomplete; run npm ci')
  try {
    await downloadArtifact({
      version,
      artifactName: 'electron',
      platform: process.platform,
      arch: process.arch,
      checksums: JSON.parse(checksums) as Record<string, string>,
      ...(cacheRoot !== undefined && { cacheRoot }),
      downloadOptions: {
        quiet: true,
        signal: AbortSignal.any([options.signal, quiet.signal]),
        getProgressCallback: (progress: { transferred: number; total: number | null }) => {
          quiet.restart()
          options.progress.update(
            `Fetching Electron ${version}: ${amount(progress.transferred, progress.total)}`,
          )
          return Promise.resolve()
        },
      },
    })
  } finally {
    quiet.stop()
  }
  options.progress.step(`Unpacking Electron ${version} …`)
  const child = spawn(process.execPath, [path.join(options.packageFolder, 'install.js')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ELECTRON_GET_NO_PROGRESS: '1' },
    signal: AbortSignal.any([options.signal, AbortSignal.timeout(UNPACK_MS)]),
  })
  let problem = ''
  child.stderr.on('data', (bytes: Buffer) => (problem += bytes.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`unpacking failed: ${problem.split('\n')[0] ?? ''}`)
}

/** Aborts when it was not restarted for a while. */
class QuietTimer {
  readonly #controller = new AbortController()
  readonly #quietMs: number
  #timer: NodeJS.Timeout

  constructor(quietMs: number) {
    this.#quietMs = quietMs
    this.#timer = this.#begin()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  restart(): void {
    clearTimeout(this.#timer)
    this.#timer = this.#begin()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #begin(): NodeJS.Timeout {
    const reason = new Error(`nothing arrived for ${String(Math.round(this.#quietMs / 1000))} s`)
    return setTimeout(() => {
      this.#controller.abort(reason)
    }, this.#quietMs)
  }
}

function packageVersion(packageFolder: string): string {
  const text = readFileSync(path.join(packageFolder, 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Not there yet: that is an answer too.
    return undefined
  }
}

function amount(transferred: number, total: number | null): string {
  const megabytes = (bytes: number) => String(Math.round(bytes / 1_000_000))
  if (total === null) return `${megabytes(transferred)} MB`
  const percent = Math.floor((100 * transferred) / total)
  return `${String(percent)} % of ${megabytes(total)} MB`
}

/** An error with its cause, in one line: fetch says only "fetch failed". */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error && error.cause.message !== '' ? ` (${error.cause.message})` : ''
  return `${error.message}${cause}`.replaceAll(/\s*\n\s*/g, ' ')
}
