/** `npm start`: builds what is stale and opens the window. `start-options.ts` has the flags. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { desktopObstacle, findDesktop, runDesktop } from '../desktop/desktop-window.ts'
import { ensureBuilt } from './ensure-built.ts'
import { reportRunning } from '../host/instance/report-running.ts'
import { watchNpm } from '../processes/npm-lifeline.ts'
import { BROWSER_PARTS, DESKTOP_PARTS, type PartName } from './parts.ts'
import { readStartCommand, START_HELP, type StartOptions } from './start-options.ts'
import { useUserPath } from './user-path.ts'

const root = path.resolve(import.meta.dirname, '../..')
/** The folder the user is in: npm changes to the project's. */
const calledFrom = process.env['INIT_CWD'] ?? process.cwd()
/** Milliseconds everything has to end in before this process leaves without waiting. */
const END_MS = 10_000

async function main(): Promise<number> {
  useUserPath(root)
  const command = readStartCommand(process.argv.slice(2), calledFrom)
  if (command.type === 'help') {
    console.log(START_HELP)
    return 0
  }
  if (command.type === 'usage-error') {
    console.error(`patchbay: ${command.message} (npm start -- --help lists the flags)`)
    return 2
  }
  const ending = endingSignal()
  const { options } = command
  if (options.mode !== 'desktop') return serve(options, options.mode, ending)

  const obstacle = desktopObstacle()
  if (obstacle !== undefined) return serveInstead(obstacle, options, ending)
  if (await handedOver(options)) return 0
  if (!(await built(DESKTOP_PARTS))) return 1
  if (isEnding(ending)) return 0
  const desktop = await findDesktop(ending)
  if (isEnding(ending)) return 0
  if (desktop.state === 'unavailable') return serveInstead(desktop.reason, options, ending)
  return runDesktop(desktop.file, root, options, ending)
}

async function serveInstead(obstacle: string, options: StartOptions, ending: AbortSignal): Promise<number> {
  console.error(`No desktop window: ${obstacle}. The same window is served to the browser.`)
  return serve(options, 'browser', ending)
}

/** Serves the window from this process until it is ended. */
async function serve(
  options: StartOptions,
  mode: 'browser' | 'headless',
  ending: AbortSignal,
): Promise<number> {
  if (!(await built(BROWSER_PARTS))) return 1
  if (isEnding(ending)) return 0
  const entry = pathToFileURL(path.join(root, 'dist/host/browser-window.js')).href
  const { runBrowserWindow } = (await import(entry)) as typeof import('../host/window/browser-window.ts')
  const folders = { startFolder: calledFrom, distFolder: path.join(root, 'dist') }
  await runBrowserWindow({ ...options, mode, ...folders }, ending)
  return 0
}

/** Hands over to a Patchbay that has the profile already. Gives whether there is one. */
async function handedOver(options: StartOptions): Promise<boolean> {
  const { askRunningInstance } = await import('../host/instance/instance.ts')
  const { defaultProfile } = await import('../profile/profile-files.ts')
  const running = await askRunningInstance(options.profile ?? defaultProfile(), options.workspace)
  if (running === undefined) return false
  reportRunning(running)
  return true
}

/** Asks again: between two awaits a signal may have come. */
function isEnding(ending: AbortSignal): boolean {
  return ending.aborted
}

/** Sees to it that the parts are there. Says what is old or missing. */
async function built(parts: readonly PartName[]): Promise<boolean> {
  const outcome = await ensureBuilt(root, parts, 1)
  if (outcome.state === 'ready') return true
  const names = outcome.parts.map((part) => part.what).join(', ')
  if (outcome.state === 'old')
    console.error(`patchbay: going on with the last build of ${names}, which is old`)
  else console.error(`patchbay: there is no build of ${names} to start; see the errors above`)
  return outcome.state === 'old'
}

/** Aborts on Ctrl-C, on SIGTERM, when the terminal closes, and when npm has ended. A second Ctrl-C exits immediately. */
function endingSignal(): AbortSignal {
  const controller = new AbortController()
  const end = () => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort()
    setTimeout(() => process.exit(1), END_MS).unref()
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, end)
  watchNpm({ root, name: 'start' }, end)
  return controller.signal
}

/** Only the message of an error that is meant for the user; a bug keeps its stack. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.name === 'HostError' || error.name === 'StorageError'
    ? error.message
    : (error.stack ?? error.message)
}

const code = await main().catch((error: unknown) => {
  console.error(`patchbay: ${describe(error)}`)
  return 1
})
process.exit(code)
