import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The sockets of a server on which nothing has come yet. Clients open some in advance; Node counts them among those
 * that are busy, so that a server which closes would wait for them.
 */
export class SilentSockets {
  readonly #sockets = new Set<Socket>()

  constructor(http: Server) {
    const sockets = this.#sockets
    const forget = function (this: Socket): void {
      sockets.delete(this)
    }
    http.on('connection', (socket) => {
      sockets.add(socket)
      socket.once('close', forget)
    })
  }

  destroy(): void {
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy()
  }
}
