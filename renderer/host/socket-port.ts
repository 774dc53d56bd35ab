import { HostUnreachableError, type HostCarrier, type HostPort } from './port.ts'

/**
 * The way to the host over a WebSocket to the server of this page. The token is offered as a subprotocol, because
 * a browser lets a page set no header there.
 */
export function socketCarrier(origin: string, token: string | undefined): HostCarrier {
  return {
    open: async () => {
      if (token === undefined) {
        throw new HostUnreachableError(
          'no-token',
          'This address carries no token. Open the whole address that Patchbay printed when it started.',
        )
      }
      const url = new URL('socket', origin)
      url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
      const socket = new WebSocket(url, ['patchbay.v1', `patchbay.token.${token}`])
      socket.binaryType = 'arraybuffer'
      await opened(socket)
      return portOf(socket)
    },
  }
}

function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve(), { once: true })
    socket.addEventListener(
      'close',
      () =>
        reject(
          new HostUnreachableError(
            'refused',
            'The host does not answer, or does not accept this window’s token. Is Patchbay still running?',
          ),
        ),
      { once: true },
    )
  })
}

function portOf(socket: WebSocket): HostPort {
  return {
    post: (data) => {
      if (socket.readyState !== WebSocket.OPEN) {
        throw new HostUnreachableError('lost', 'The connection to the host is lost; trying again.')
      }
      socket.send(typeof data === 'string' ? data : new Uint8Array(data))
    },
    onMessage: (listener) => {
      socket.addEventListener('message', (event: MessageEvent<string | ArrayBuffer>) => {
        listener(typeof event.data === 'string' ? event.data : new Uint8Array(event.data))
      })
    },
    onClose: (listener) => socket.addEventListener('close', () => listener(), { once: true }),
    close: () => socket.close(),
  }
}
