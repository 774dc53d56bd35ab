import type { HostCarrier, HostPort } from './port.ts'

/** What the desktop shell's preload gives the page. */
export interface PatchbayBridge {
  readonly platform: string
  post(data: string | Uint8Array): void
  /** Returns a function that ends it. */
  onMessage(listener: (data: string | Uint8Array) => void): () => void
  /** Calls `listener` with the id of each command that is chosen in the menu. Returns a function that ends it. */
  onCommand(listener: (id: string) => void): () => void
}

/** The bridge, if this page runs in the desktop shell. */
export function desktopBridge(): PatchbayBridge | undefined {
  return (globalThis as { patchbay?: PatchbayBridge }).patchbay
}

/** The way to the host through the desktop shell. It lives as long as the window. */
export function bridgeCarrier(bridge: PatchbayBridge): HostCarrier {
  return {
    open: () => {
      let stop: (() => void) | undefined
      const port: HostPort = {
        post: (data) => bridge.post(data),
        onMessage: (listener) => {
          stop?.()
          stop = bridge.onMessage(listener)
        },
        onClose: () => undefined,
        close: () => stop?.(),
      }
      return Promise.resolve(port)
    },
  }
}
