import type { PagePort } from '../window/carry.ts'

type Open = { message?: (data: string | Uint8Array) => void; close?: () => void }

/** The ports of the shell's windows, all of them over the one channel to the shell's main process. */
export class WindowPorts {
  readonly #open = new Map<number, Open>()
  readonly #carry: (port: PagePort) => void
  readonly #send: (windowId: number, data: string | Uint8Array) => void

  constructor(carry: (port: PagePort) => void, send: (windowId: number, data: string | Uint8Array) => void) {
    this.#carry = carry
    this.#send = send
  }

  /** Something that a window's page posted; the first of it opens its port. */
  posted(windowId: number, data: string | Uint8Array): void {
    const known = this.#open.get(windowId)
    if (known !== undefined) {
      known.message?.(data)
      return
    }
    const open: Open = {}
    this.#open.set(windowId, open)
    this.#carry({
      onMessage: (listener) => (open.message = listener),
      onClose: (listener) => (open.close = listener),
      send: (answer) => {
        // A page that was loaded again must not get answers to the one before it.
        if (this.#open.get(windowId) === open) this.#send(windowId, answer)
      },
    })
    open.message?.(data)
  }

  /** The page of a window was closed or reloaded. */
  closed(windowId: number): void {
    const open = this.#open.get(windowId)
    this.#open.delete(windowId)
    open?.close?.()
  }
}
