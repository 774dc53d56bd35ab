import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron'
import { COMMAND, FROM_PAGE, TO_PAGE } from './channels.ts'

/** All that the page sees of the shell: one port-like pair, commands of the menu, and the platform's name. */
const bridge = {
  platform: process.platform,
  post(data: unknown): void {
    if (typeof data !== 'string' && !(data instanceof Uint8Array)) {
      throw new TypeError(`post expects text or bytes, got ${typeof data}`)
    }
    ipcRenderer.send(FROM_PAGE, data)
  },
  onMessage(listener: (data: string | Uint8Array) => void): () => void {
    // The event object stays here: it would give the page the raw channel.
    const receive = (_event: IpcRendererEvent, data: string | Uint8Array): void => listener(data)
    ipcRenderer.on(TO_PAGE, receive)
    return () => {
      ipcRenderer.off(TO_PAGE, receive)
    }
  },
  onCommand(listener: (id: string) => void): () => void {
    const receive = (_event: IpcRendererEvent, id: string): void => listener(id)
    ipcRenderer.on(COMMAND, receive)
    return () => {
      ipcRenderer.off(COMMAND, receive)
    }
  },
}

contextBridge.exposeInMainWorld('patchbay', bridge)
