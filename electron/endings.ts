import { app, BrowserWindow, dialog } from 'electron'

/** Asks whether to load a window again that stopped, or to quit. Nothing is loaded again by itself, in a loop. */
async function offerToReload(
  window: BrowserWindow,
  message: string,
  detail: string,
  signal?: AbortSignal,
): Promise<void> {
  const buttons = ['Reload', 'Quit']
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    message,
    detail,
    buttons,
    cancelId: 1,
    ...(signal !== undefined && { signal }),
  })
  // A box that is closed by the signal answers as if it had been cancelled.
  if (signal?.aborted === true) return
  if (response === 1) app.quit()
  else if (!window.isDestroyed()) window.reload()
}

/** Watches for pages that crash or hang, children that die and errors nobody caught; `giveUp` ends the shell. */
export function watchForEndings(giveUp: (problem: unknown) => void): void {
  process.on('uncaughtException', giveUp)
  process.on('unhandledRejection', giveUp)
  app.on('render-process-gone', (_event, contents, { reason }) => {
    const window = BrowserWindow.fromWebContents(contents)
    if (window === null || reason === 'clean-exit') return
    const detail = `Its process ended (${reason}). Connections and the timeline are kept.`
    offerToReload(window, 'The window stopped working', detail).catch(giveUp)
  })
  app.on('child-process-gone', (_event, { type, name, reason }) => {
    if (reason !== 'clean-exit') console.error(`A ${type} process ended (${name ?? 'unnamed'}): ${reason}`)
  })
  app.on('browser-window-created', (_event, window) => watchForHangs(window, giveUp))
}

/** Asks while a window does not answer; the question goes away when it answers again. */
function watchForHangs(window: BrowserWindow, giveUp: (problem: unknown) => void): void {
  let asking: AbortController | undefined
  const stopAsking = (): void => {
    asking?.abort()
    asking = undefined
  }
  window.on('unresponsive', () => {
    stopAsking()
    asking = new AbortController()
    const detail = 'It may answer again by itself. Reloading keeps connections and the timeline.'
    offerToReload(window, 'The window does not answer', detail, asking.signal).catch(giveUp)
  })
  window.on('responsive', stopAsking)
  window.once('closed', stopAsking)
}
