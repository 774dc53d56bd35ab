import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { electronExecutable, electronPackageFolder } from './electron-executable.ts'
import { ProgressLine } from './progress-line.ts'
import { hasDisplay } from '../host/window/has-display.ts'
import type { WindowOptions } from '../host/window/window-options.ts'

const QUIET_MS = 20_000
/** Milliseconds the shell has to save and end its children before it is killed. */
const END_MS = 8_000

/**
 * What keeps a desktop window from opening here, in words, or undefined. An executable that the user names by
 * ELECTRON_OVERRIDE_DIST_PATH is trusted to need neither a display nor a user other than root.
 */
export function desktopObstacle(): string | undefined {
  if ((process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? '') !== '') return undefined
  if (process.getuid?.() === 0) return "you are root, which Electron's sandbox refuses"
  return hasDisplay() ? undefined : 'there is no display'
}

/**
 * Finds or fetches Electron. Returns the executable, or why there is none.
 *
 * @param packageFolder folder of Electron's npm package, if it is not one of this project
 */
export async function findDesktop(
  signal: AbortSignal,
  packageFolder?: string,
): ReturnType<typeof electronExecutable> {
  return electronExecutable({
    progress: new ProgressLine(process.stderr),
    signal,
    quietMs: QUIET_MS,
    packageFolder: packageFolder ?? electronPackageFolder(),
  })
}

/**
 * Runs the desktop shell until it ends, or ends it when `signal` aborts. The shell itself watches this process
 * and ends when it has ended. Returns the shell's exit code; rejects if it cannot be started.
 */
export async function runDesktop(
  executable: string,
  root: string,
  options: WindowOptions,
  signal: AbortSignal,
): Promise<number> {
  const flags = [`--launcher=${process.pid}`, ...shellFlags(options)]
  const child = spawn(executable, [root, ...flags], { stdio: ['ignore', 'inherit', 'inherit'] })
  const end = () => {
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), END_MS).unref()
  }
  signal.addEventListener('abort', end, { once: true })
  const [code, killedBy] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  signal.removeEventListener('abort', end)
  if (signal.aborted) return 0
  if (code === null) console.error(`patchbay: the desktop shell was ended by ${String(killedBy)}`)
  return code ?? 1
}

function shellFlags(options: WindowOptions): string[] {
  return [
    ...(options.profile === undefined ? [] : ['--profile', options.profile]),
    ...(options.workspace === undefined ? [] : ['--workspace', options.workspace]),
    ...(options.mcpPort === undefined ? [] : ['--mcp-port', String(options.mcpPort)]),
  ]
}
