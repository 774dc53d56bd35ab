import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { defaultProfile } from '../../profile/profile-files.ts'
import type { ServerDraft } from '../../profile/server-target.ts'
import { reportRunning } from '../instance/report-running.ts'
import { hasDisplay } from './has-display.ts'
import { serveWindow } from './serve-window.ts'
import type { WindowOptions } from './window-options.ts'
import { writeWindowRedirect } from './window-redirect.ts'

/** Milliseconds after which the page that leads the browser to the window is deleted. */
const REDIRECT_MS = 60_000

export type BrowserWindowOptions = WindowOptions & {
  /** `headless`: the address is printed, and no browser is started. */
  readonly mode: 'browser' | 'headless'
  /** Absolute path: where commands that name no folder start if no workspace is named either. */
  readonly startFolder: string
  /** Absolute path of the folder with the built files. */
  readonly distFolder: string
  /** A server that the user typed, which is therefore approved: it is stored, connected and shown. */
  readonly server?: ServerDraft
}

/** Serves the window from this process, prints its address and opens it in the browser, until `ending` aborts. */
export async function runBrowserWindow(options: BrowserWindowOptions, ending: AbortSignal): Promise<void> {
  const opensBrowser = options.mode === 'browser' && hasDisplay()
  let address = ''
  const served = await serveWindow({
    ...options,
    onActivate: (serverId) => {
      if (opensBrowser) void openBrowser(addressOf(address, serverId), options.profile)
    },
  })
  if (served.state === 'handed-over') {
    reportRunning(served)
    return
  }
  ;({ address } = served)
  const shown = addressOf(address, served.serverId)
  console.log(`Patchbay is at ${shown}\nCtrl-C stops it.`)
  if (opensBrowser) await openBrowser(shown, options.profile)
  if (!ending.aborted) await once(ending, 'abort')
  await served.close()
}

/** The window's address that shows a server. */
function addressOf(address: string, serverId: string | undefined): string {
  return serverId === undefined ? address : `${address}&server=${encodeURIComponent(serverId)}`
}

/** Opens the window in the browser, without its token on a command line that other accounts can read. */
async function openBrowser(address: string, profile = defaultProfile()): Promise<void> {
  const { default: open } = await import('open')
  // On Windows other accounts cannot read command lines, and a browser of Windows cannot read files of WSL.
  const isReadable = process.platform !== 'win32' && process.env['WSL_DISTRO_NAME'] === undefined
  const redirect = isReadable ? await writeWindowRedirect(address, profile).catch(() => undefined) : undefined
  if (isReadable && redirect === undefined) {
    console.error(
      'The browser was not started, because the data folder cannot be written; open the address yourself.',
    )
    return
  }
  const child = await open(redirect?.url ?? address)
  child.on('error', () => console.error('No browser could be started; open the address yourself.'))
  if (redirect !== undefined) setTimeout(() => void redirect.close(), REDIRECT_MS).unref()
  if (redirect !== undefined) process.once('exit', () => rmSync(new URL(redirect.url), { force: true }))
}
