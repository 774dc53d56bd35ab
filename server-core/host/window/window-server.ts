import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, STATUS_CODES, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { systemCode } from '../../workspace/storage-error.ts'
import { HostError } from '../host-error.ts'
import { portHolder } from '../port-holder.ts'
import type { HostRouter } from '../router.ts'
import { contractCarrier, type PagePort } from './carry.ts'
import { servePageFile } from './page-files.ts'
import { refuseForeign, refuseUpgrade, SOCKET_PROTOCOL, type Refusal } from './request-guard.ts'

export type WindowServerOptions = {
  /** Absolute path of the built page's folder. */
  readonly pageFolder: string
  /** 0 means any free port. */
  readonly port: number
  readonly router: HostRouter
}

export type WindowServer = {
  readonly port: number
  /** The whole address with the token of this launch in its fragment, which a browser never sends anywhere. */
  readonly address: string
  close(): Promise<void>
}

/**
 * Serves the window to a browser on this machine: the page's files, and one WebSocket that carries the host's
 * contract. It listens on 127.0.0.1 only. Host and Origin are checked on every route, and the socket needs the
 * token of this launch; what fails is refused before anything else happens.
 *
 * @throws HostError `PORT_UNAVAILABLE`
 */
export async function startWindowServer(options: WindowServerOptions): Promise<WindowServer> {
  const token = randomBytes(32).toString('base64url')
  const carry = contractCarrier(options.router)
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: DEFAULT_LIMITS.messageBytes,
    perMessageDeflate: false,
    handleProtocols: () => SOCKET_PROTOCOL,
  })
  let port = 0
  // The guard itself refuses a missing Host, so that it answers like any other foreign one.
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    const refusal = refuseForeign(request, port)
    if (refusal !== undefined) {
      response.writeHead(refusal.status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
      response.end(refusal.reason)
      return
    }
    servePageFile(request, response, options.pageFolder, `ws://${request.headers.host ?? ''}`).catch(
      (error: unknown) => {
        console.error('The page could not be served:', error)
        response.destroy()
      },
    )
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const refusal = refuseUpgrade(request, port, token)
    if (refusal !== undefined) {
      refuse(socket, refusal)
      return
    }
    sockets.handleUpgrade(request, socket, head, (opened) => carry(portOf(opened)))
  })
  port = await listen(server, options.port)
  return {
    port,
    address: `http://127.0.0.1:${port}/#token=${token}`,
    close: async () => {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** A socket as a port. A page that stops reading is cut off instead of filling our memory. */
function portOf(socket: WebSocket): PagePort {
  socket.on('error', () => socket.terminate())
  return {
    onMessage: (listener) =>
      socket.on('message', (data: Buffer, isBinary) => listener(isBinary ? data : data.toString('utf8'))),
    onClose: (listener) => socket.once('close', listener),
    send: (data) => {
      if (socket.bufferedAmount > DEFAULT_LIMITS.outgoingBufferBytes) socket.terminate()
      else socket.send(data)
    },
  }
}

function refuse(socket: Duplex, { status, reason }: Refusal): void {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(reason)}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${reason}`)
}

async function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  try {
    // The address, not a name: what a name means is decided elsewhere.
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch (error) {
    if (systemCode(error) !== 'EADDRINUSE' && systemCode(error) !== 'EACCES') throw error
    const holder = await portHolder(port)
    const by =
      systemCode(error) === 'EACCES'
        ? 'needs more rights than you have'
        : `is in use${holder === undefined ? '' : ` by ${holder}`}`
    const message = `Port ${port} for the window ${by}. Choose another with --port, or 0 for any free one.`
    throw new HostError('PORT_UNAVAILABLE', message, { cause: error })
  }
  return (server.address() as AddressInfo).port
}
