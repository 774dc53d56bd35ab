import { BrowserWindow, Menu, type BaseWindow, type MenuItemConstructorOptions } from 'electron'
import { sendCommand } from './page-bridge.ts'

/** Set by who works on Patchbay itself: the menu then has Reload and the developer tools. */
const IS_DEVELOPMENT = process.env['PATCHBAY_DEVELOPMENT'] !== undefined

/**
 * The application menu. Its keys must not end what the user works on: mod+W closes the tab in front, and nothing loads
 * the page again. What the window can do beside that is in its own palette.
 */
export function installMenu(platform: NodeJS.Platform = process.platform): void {
  const isMac = platform === 'darwin'
  const separator: MenuItemConstructorOptions = { type: 'separator' }
  const file: MenuItemConstructorOptions[] = [
    { id: 'close-tab', label: 'Close Tab', accelerator: 'CmdOrCtrl+W', click: closeTab },
    { label: 'Close Window', accelerator: 'Shift+CmdOrCtrl+W', role: 'close' },
    ...(isMac ? [] : [separator, { role: 'quit' } as const]),
  ]
  const development: MenuItemConstructorOptions[] = [
    separator,
    { role: 'reload' },
    { role: 'toggleDevTools' },
  ]
  const view: MenuItemConstructorOptions[] = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    separator,
    { role: 'togglefullscreen' },
    ...(IS_DEVELOPMENT ? development : []),
  ]
  const window: MenuItemConstructorOptions[] = [
    { role: 'minimize' },
    ...(isMac ? [{ role: 'zoom' } as const, separator, { role: 'front' } as const] : []),
  ]
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(isMac ? [{ role: 'appMenu' } as const] : []),
      { label: 'File', submenu: file },
      { role: 'editMenu' },
      { label: 'View', submenu: view },
      { label: 'Window', submenu: window },
    ]),
  )
}

function closeTab(_item: unknown, window: BaseWindow | undefined): void {
  if (window instanceof BrowserWindow) sendCommand(window.webContents, 'close-tab')
}
