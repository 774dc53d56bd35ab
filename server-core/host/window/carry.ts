import { RPCHandler } from '@orpc/server/ws'
import type { HostRouter } from '../router.ts'

/** One open way to one page: whole messages, in order, until it closes. */
export type PagePort = {
  send(data: string | Uint8Array): void
  onMessage(listener: (data: string | Uint8Array) => void): void
  onClose(listener: () => void): void
}

/**
 * Returns a function that runs the contract over a page's port. When the port closes, the page's calls are cancelled
 * and its watches end. An invalid message harms nobody but its sender.
 */
export function contractCarrier(router: HostRouter): (port: PagePort) => void {
  // The adapter for sockets asks for no more than a port has, and takes a broken message for what it is; the one
  // for message ports leaves it as a rejection that nobody handles.
  const handler = new RPCHandler(router)
  return (port) => {
    const listen = (type: string, listener: (event: { data?: unknown }) => void): void => {
      if (type === 'message') port.onMessage((data) => listener({ data }))
      else if (type === 'close') port.onClose(() => listener({}))
    }
    void handler.upgrade({
      addEventListener: listen as Parameters<typeof handler.upgrade>[0]['addEventListener'],
      send: ((data: string | Uint8Array) => port.send(data)) as Parameters<typeof handler.upgrade>[0]['send'],
    })
  }
}
