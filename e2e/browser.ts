import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Names of Chromium and Chrome in PATH, the more usual first. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const MAC_APPS = ['Google Chrome.app/Contents/MacOS/Google Chrome', 'Chromium.app/Contents/MacOS/Chromium']
const WINDOWS_FILES = ['Google\\Chrome\\Application\\chrome.exe', 'Chromium\\Application\\chrome.exe']
/** Milliseconds without a word after which Playwright's download is given up. */
const QUIET_MS = 60_000

/**
 * Returns the executable of a Chromium or Chrome that runs: the one PATCHBAY_CHROMIUM names, the system's, one that
 * apt-get installs (as root on Debian), or Playwright's own download. Throws an error that says what was tried
 * and what to do if there is none. Progress goes to `report`, a line at a time.
 */
export async function provideBrowser(report: (line: string) => void): Promise<string> {
  const named = process.env['PATCHBAY_CHROMIUM']
  if (named !== undefined && named !== '') {
    if (await answers(named)) return named
    throw new Error(`PATCHBAY_CHROMIUM names ${named}, which is not a browser that runs`)
  }
  const there = await findBrowser()
  if (there !== undefined) return there
  const tried = ['the system has neither Chromium nor Chrome']
  if (isDebian() && process.getuid?.() === 0) {
    report('Installing Chromium by apt-get (about 350 MB on disk) …')
    const problem = await installByApt()
    const installed = await findBrowser()
    if (installed !== undefined) return installed
    tried.push(`apt-get install chromium: ${problem ?? 'it installed nothing that runs'}`)
  }
  report('Fetching Chromium by Playwright …')
  const outcome = await fetchByPlaywright(report)
  if (outcome.state === 'ready') return outcome.file
  tried.push(`Playwright's download: ${outcome.problem}`)
  throw new Error(
    `The tests need Chromium or Chrome and found none (${tried.join('; ')}). Install one, ` +
      'or name its executable in PATCHBAY_CHROMIUM.',
  )
}

/** The system's browser, if one is there and runs. */
async function findBrowser(): Promise<string | undefined> {
  for (const file of candidates()) if (isExecutable(file) && (await answers(file))) return file
  return undefined
}

function candidates(): string[] {
  if (process.platform === 'darwin') return MAC_APPS.map((app) => path.join('/Applications', app))
  if (process.platform === 'win32') {
    const roots = ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].flatMap(
      (name) => process.env[name] ?? [],
    )
    return roots.flatMap((root) => WINDOWS_FILES.map((file) => path.join(root, file)))
  }
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '')
  return NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)))
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    // Not there, or not ours to run.
    return false
  }
}

/** Whether it is a browser that starts: some systems have a script of that name that only gives advice. */
async function answers(file: string): Promise<boolean> {
  if (process.platform === 'win32') return isExecutable(file)
  try {
    const { stdout } = await run(file, ['--version'], { timeout: 20_000 })
    return /chrom/i.test(stdout)
  } catch {
    // It does not run: the next one may.
    return false
  }
}

function isDebian(): boolean {
  try {
    return /^ID(_LIKE)?=.*debian/m.test(readFileSync('/etc/os-release', 'utf8'))
  } catch {
    // No Linux, or one without that file.
    return false
  }
}

/** Returns what went wrong, or undefined. apt-get itself reports how far it is. */
async function installByApt(): Promise<string | undefined> {
  const steps = [
    ['update', '-q'],
    ['install', '-y', '-q', '--no-install-recommends', 'chromium', 'fonts-liberation'],
  ]
  for (const step of steps) {
    const child = spawn('apt-get', step, {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) return `apt-get ${step[0] ?? ''} ended with code ${String(code)}`
  }
  return undefined
}

type Fetched =
  { readonly state: 'ready'; readonly file: string } | { readonly state: 'failed'; readonly problem: string }

async function fetchByPlaywright(report: (line: string) => void): Promise<Fetched> {
  const { chromium } = await import('@playwright/test')
  const packageFile = createRequire(import.meta.url).resolve('@playwright/test/package.json')
  const cli = path.join(path.dirname(packageFile), 'cli.js')
  const child = spawn(process.execPath, [cli, 'install', '--no-shell', 'chromium'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const quiet = new AbortController()
  const giveUp = () => {
    quiet.abort()
    child.kill('SIGKILL')
  }
  let timer = setTimeout(giveUp, QUIET_MS)
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      report(line)
      clearTimeout(timer)
      timer = setTimeout(giveUp, QUIET_MS)
    })
  }
  const [code] = (await once(child, 'exit')) as [number | null]
  clearTimeout(timer)
  const file = chromium.executablePath()
  if (code === 0 && (await answers(file))) return { state: 'ready', file }
  const problem = quiet.signal.aborted
    ? `nothing arrived for ${QUIET_MS / 1000} s`
    : `it ended with code ${String(code)}`
  return { state: 'failed', problem }
}
