import { app, BrowserWindow, dialog } from 'electron'

type Reloadable = Pick<BrowserWindow, 'isDestroyed' | 'reload'>

/** What a person is told when a window stopped, and what they choose. Nothing starts itself anew in a loop. */
async function offerToLoadAgain(window: Reloadable, message: string, detail: string): Promise<void> {
  const buttons = ['Load it again', 'Quit']
  const { response } = await dialog.showMessageBox({ type: 'warning', message, detail, buttons, cancelId: 1 })
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
    const detail = `Its process ended (${reason}). The host goes on: connections and the timeline are kept.`
    offerToLoadAgain(window, 'The window stopped working', detail).catch(giveUp)
  })
  app.on('child-process-gone', (_event, { type, name, reason }) => {
    if (reason !== 'clean-exit') console.error(`A ${type} process ended (${name ?? 'unnamed'}): ${reason}`)
  })
  app.on('browser-window-created', (_event, window) => {
    window.on('unresponsive', () => {
      const detail = 'It may come back by itself. Loading it again keeps connections and the timeline.'
      offerToLoadAgain(window, 'The window does not answer', detail).catch(giveUp)
    })
  })
}
