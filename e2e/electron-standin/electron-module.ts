import { App } from './api/app.ts'
import { BrowserWindow } from './api/browser-window.ts'
import { ipcMain } from './api/ipc-main.ts'
import { defaultSession, Schemes } from './api/session.ts'
import { dialog, Menu, nativeTheme, safeStorage, shell } from './api/system.ts'
import { utilityProcess } from './api/utility-process.ts'
import { WebContents } from './api/web-contents.ts'
import type { Cdp } from './cdp.ts'
import type { Chromium } from './chromium.ts'
import { strict } from './strict.ts'

type Options = {
  readonly appPath: string
  readonly manifest: { readonly name: string; readonly version: string }
  readonly chromium: Chromium
}

const build = (app: App, schemes: Schemes) =>
  strict('electron', {
    app: strict('app', app),
    BrowserWindow,
    dialog,
    ipcMain,
    Menu,
    nativeTheme,
    protocol: schemes.protocol,
    safeStorage,
    session: strict('session', { defaultSession }),
    shell,
    utilityProcess,
    webContents: WebContents,
  })

let installed: ReturnType<typeof build> | undefined

/** The module that the app imports as `electron`. */
export function electronModule(): ReturnType<typeof build> {
  if (installed === undefined) throw new Error('electron stand-in: the module is not installed yet')
  return installed
}

/** Puts the module together and, at `start`, waits for the browser and tells the app that it is ready. */
export function installElectron({ appPath, manifest, chromium }: Options): {
  readonly module: unknown
  start(): void
  quit(): void
} {
  let browser: Cdp | undefined
  const app = new App({
    appPath,
    name: manifest.name,
    version: manifest.version,
    closeWindows: () => {
      for (const window of BrowserWindow.getAllWindows()) window.close()
      return BrowserWindow.all.size === 0
    },
    closeBrowser: async () => browser?.root.send('Browser.close'),
  })
  const schemes = new Schemes(() => app.isReady())
  installed = build(app, schemes)

  const begin = async (): Promise<void> => {
    const cdp = await chromium.cdp
    browser = cdp
    cdp.onGone = () => app.exit(0)
    cdp.root.on('Target.targetDestroyed', ({ targetId }) => {
      const contents = WebContents.fromDevToolsTargetId(targetId)
      if (contents !== undefined) BrowserWindow.fromWebContents(contents)?.destroy(false)
    })
    await cdp.root.send('Target.setDiscoverTargets', { discover: true })
    BrowserWindow.host = {
      schemes,
      cdp: () => cdp,
      emitToApp: (event, ...args) => {
        const heard = app.emit(event, ...args)
        // Without a listener Electron quits by itself.
        if (event === 'window-all-closed' && !heard) app.quit()
      },
    }
    app.becomeReady()
  }
  return {
    module: installed,
    start: () => {
      begin().catch((error: unknown) => {
        console.error('electron stand-in:', error)
        process.exit(1)
      })
    },
    quit: () => app.quit(),
  }
}
