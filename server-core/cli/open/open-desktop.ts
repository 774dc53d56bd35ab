import { createInterface } from 'node:readline/promises'
import { desktopObstacle, findDesktop, runDesktop } from '../../desktop/desktop-window.ts'
import { installPinned } from '../../downloads/install-pinned.ts'
import {
  installedPackage,
  PINNED,
  pinnedPackage,
  type PinnedPackage,
} from '../../downloads/pinned-package.ts'
import { askRunningInstance } from '../../host/instance/instance.ts'
import { reportRunning } from '../../host/instance/report-running.ts'
import { defaultProfile } from '../../profile/profile-files.ts'
import { ExitCode, UnreachableError } from '../output/exit-code.ts'
import { writeStderr } from '../output/output.ts'
import { distFolder, shellFolder } from '../serve/workspace/program-folder.ts'
import type { DesktopCommand } from './open-command.ts'

/** `patchbay desktop`: opens the window in Electron, which is fetched once the user agreed. */
export async function openDesktop(command: DesktopCommand, signal: AbortSignal): Promise<ExitCode> {
  const obstacle = desktopObstacle()
  if (obstacle !== undefined)
    throw new UnreachableError(
      `No desktop window: ${obstacle}. "patchbay" opens the same window in the browser.`,
    )
  const running = await askRunningInstance(command.profile ?? defaultProfile(), command.workspace)
  if (running !== undefined) {
    reportRunning(running)
    return ExitCode.ok
  }
  const pinned = pinnedPackage('electron', distFolder())
  const packageFolder =
    pinned === undefined ? undefined : await electronPackage(pinned, command.approve, signal)
  const desktop = await findDesktop(signal, packageFolder)
  if (signal.aborted) return ExitCode.ok
  if (desktop.state === 'unavailable')
    throw new UnreachableError(
      `No desktop window: ${desktop.reason}. "patchbay" opens the same window in the browser.`,
    )
  return (await runDesktop(desktop.file, shellFolder(), command, signal)) === 0
    ? ExitCode.ok
    : ExitCode.internal
}

/** The folder of Electron's npm package. Asks before it fetches anything. */
async function electronPackage(
  pinned: PinnedPackage,
  isApproved: boolean,
  signal: AbortSignal,
): Promise<string | undefined> {
  // A folder that the user names has all that is needed.
  if ((process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? '') !== '') return undefined
  const there = installedPackage(pinned)
  if (there !== undefined) return there
  const { title, size } = PINNED.electron
  const what = `${title} ${pinned.version} (${size}, once, into ${pinned.folder})`
  if (!isApproved) {
    if (!process.stdin.isTTY)
      throw new UnreachableError(`${title} is not installed. patchbay desktop --yes fetches ${what}.`)
    const terminal = createInterface({ input: process.stdin, output: process.stderr })
    try {
      const answer = await terminal.question(`Fetch ${what}? [y/N] `, { signal })
      if (!/^y(?:es)?$/i.test(answer.trim()))
        throw new UnreachableError(
          `${title} was not fetched. "patchbay" opens the same window in the browser.`,
        )
    } finally {
      terminal.close()
    }
  }
  writeStderr(`Fetching ${what} …`)
  return installPinned(pinned, signal)
}
