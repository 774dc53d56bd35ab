import { BrowserWindow, nativeTheme, type BrowserWindowConstructorOptions } from 'electron'
import { PAGE_ORIGIN } from './origin.ts'

/** As wide as the page needs; on Windows a window counts its invisible frame too. */
const MIN_WIDTH = process.platform === 'win32' ? 896 : 880

/** What is behind the page until it is drawn (`--surface-base` of the page). */
function backgroundColor(): string {
  return nativeTheme.shouldUseDarkColors ? '#14181b' : '#eef0f3'
}

/** The options of a window. Every security choice is written out, defaults included. */
function windowOptions(preload: string): BrowserWindowConstructorOptions {
  return {
    name: 'main',
    windowStatePersistence: true,
    title: 'Patchbay',
    width: 1440,
    height: 900,
    minWidth: MIN_WIDTH,
    minHeight: 500,
    show: false,
    backgroundColor: backgroundColor(),
    autoHideMenuBar: true,
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webSecurity: true,
      webviewTag: false,
      allowRunningInsecureContent: false,
      spellcheck: false,
    },
  }
}

/** Opens the window and shows it when its first picture is there. */
export function openWindow(preload: string): BrowserWindow {
  const window = new BrowserWindow(windowOptions(preload))
  window.once('ready-to-show', () => window.show())
  const recolour = (): void => window.setBackgroundColor(backgroundColor())
  nativeTheme.on('updated', recolour)
  window.once('closed', () => nativeTheme.off('updated', recolour))
  window.loadURL(`${PAGE_ORIGIN}/`).catch((error: unknown) => {
    if (!window.isDestroyed()) console.error('The page could not be loaded:', error)
  })
  return window
}

/** Brings the newest window to the front; opens one if there is none. */
export function bringForward(preload: string): void {
  const window = BrowserWindow.getAllWindows().at(0)
  if (window === undefined) {
    openWindow(preload)
    return
  }
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
