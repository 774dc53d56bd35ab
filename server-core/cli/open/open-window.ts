import { runBrowserWindow } from '../../host/window/browser-window.ts'
import { ExitCode } from '../output/exit-code.ts'
import { distFolder } from '../serve/workspace/program-folder.ts'
import type { OpenCommand } from './open-command.ts'

/** Milliseconds everything has to end in before this process leaves without waiting. */
const END_MS = 10_000

/** `patchbay [COMMAND ARGS|URL]`: serves the window to the browser until it is interrupted. */
export async function openWindow(command: OpenCommand, signal: AbortSignal): Promise<ExitCode> {
  const ending = new AbortController()
  const end = () => {
    ending.abort()
    setTimeout(() => process.exit(ExitCode.unreachable), END_MS).unref()
  }
  signal.addEventListener('abort', end, { once: true })
  if (process.env['npm_lifecycle_event'] === 'npx') {
    const { watchNpx } = await import('../../processes/npm-lifeline.ts')
    watchNpx(end)
  }
  const { type: _type, ...options } = command
  await runBrowserWindow({ ...options, startFolder: process.cwd(), distFolder: distFolder() }, ending.signal)
  return ExitCode.ok
}
