import { isUtf8 } from 'node:buffer'
import { once } from 'node:events'
import { WebSocket, type RawData } from 'ws'
import { readMessage, shakeHands, type RawConnection, type Message, type Target } from './raw-connection.ts'

/** A session over one WebSocket. */
export async function openWebSocketConnection({ webSocketUrl }: Target): Promise<RawConnection> {
  const socket = new WebSocket(webSocketUrl, 'mcp')
  await once(socket, 'open')
  let listener: (message: Message) => void = () => undefined
  socket.on('message', (data: RawData) => {
    listener(readMessage(bytesOf(data)))
  })
  const closed = once(socket, 'close').then(
    ([code, reason]) => `the server closed the WebSocket (${String(code)} ${String(reason)})`,
  )
  return shakeHands({
    closed,
    keepsOrder: true,
    send: (bytes) => {
      socket.send(bytes, { binary: false })
    },
    flushed: () =>
      new Promise((resolve) => {
        socket.ping(undefined, undefined, () => {
          resolve()
        })
      }),
    onMessage: (next) => {
      listener = next
    },
    // A text message is UTF-8, or the connection ends.
    carries: isUtf8,
    close: async () => {
      socket.close()
      await closed
    },
  })
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
}
