import { ipcMain, webContents, type WebContents } from 'electron'
import { DEFAULT_LIMITS } from '../server-core/protocol/limits.ts'
import { COMMAND, FROM_PAGE, TO_PAGE } from './channels.ts'
import { isPageAddress } from './origin.ts'

export type PageListener = {
  posted(windowId: number, data: string | Uint8Array): void
  /** The page was closed, or another load of it has replaced it. */
  closed(windowId: number): void
}

/**
 * Receives what pages post. Only the main frame of a window on the app's own origin is heard, only text and bytes
 * pass, and only up to the size of the largest message; what is refused is named on stderr.
 */
export function receiveFromPages(listener: PageListener): void {
  const known = new WeakSet<WebContents>()
  ipcMain.on(FROM_PAGE, (event, data: unknown) => {
    const frame = event.senderFrame
    if (frame === null || frame !== event.sender.mainFrame || !isPageAddress(frame.url)) {
      console.error(`Refused a message of a foreign frame: ${frame?.url ?? 'gone'}`)
      return
    }
    if (typeof data !== 'string' && !(data instanceof Uint8Array)) {
      console.error(`Refused a message of the page: expected text or bytes, got ${typeof data}`)
      return
    }
    if (data.length > DEFAULT_LIMITS.messageBytes) {
      console.error(`Refused a message of the page: ${String(data.length)} is over the limit`)
      return
    }
    if (!known.has(event.sender)) {
      known.add(event.sender)
      watchLifecycle(event.sender, listener)
    }
    listener.posted(event.sender.id, data)
  })
}

function watchLifecycle(contents: WebContents, listener: PageListener): void {
  const { id } = contents
  contents.on('did-start-navigation', (details) => {
    if (details.isMainFrame && !details.isSameDocument) listener.closed(id)
  })
  contents.once('destroyed', () => listener.closed(id))
}

/** Sends a window's page what the host sent it; skips a closed page. */
export function sendToPage(windowId: number, data: string | Uint8Array): void {
  const contents = webContents.fromId(windowId)
  if (contents !== undefined && !contents.isDestroyed()) contents.send(TO_PAGE, data)
}

/** Has a page run one of its commands. */
export function sendCommand(contents: WebContents, id: 'close-tab'): void {
  contents.send(COMMAND, id)
}
