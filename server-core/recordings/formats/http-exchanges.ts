import type { HttpFacts } from '../../ports/tap.ts'
import type { NumberedFrame, RecordingView } from '../recording-view.ts'

/** The messages of one WebSocket. */
export type WebSocketTraffic = {
  readonly server: string
  readonly messages: NumberedFrame[]
  /** The request that opened it, if it was recorded. */
  handshake?: HttpFacts
}

const BATCH = 2_000

/** A request of HTTP with everything that answered it. */
export type HttpExchange = {
  readonly request: NumberedFrame & { readonly http: HttpFacts }
  readonly responses: NumberedFrame[]
}

/** Collects the HTTP requests of a recording, in order, and counts the messages that did not travel over HTTP. */
export async function httpExchanges(view: RecordingView): Promise<{
  readonly exchanges: HttpExchange[]
  readonly sockets: WebSocketTraffic[]
  readonly others: number
}> {
  const exchanges = new Map<string, HttpExchange>()
  const sockets = new Map<number, WebSocketTraffic>()
  let others = 0
  for (let first = 0; first < view.frames; first += BATCH) {
    const count = Math.min(BATCH, view.frames - first)
    for (const frame of await view.read(Array.from({ length: count }, (_, place) => first + place))) {
      const { http, connection, direction } = frame
      if (connection.transport === 'websocket') {
        const socket = sockets.get(connection.number) ?? { server: connection.serverName, messages: [] }
        sockets.set(connection.number, socket)
        if (http !== undefined && direction === 'sent') socket.handshake ??= http
        else if (frame.kind === 'message' || frame.kind === 'invalid') socket.messages.push(frame)
        continue
      }
      if (http === undefined) {
        if (frame.kind === 'message') others += 1
        continue
      }
      const key = `${connection.number} ${http.exchange}`
      const known = exchanges.get(key)
      if (known !== undefined) known.responses.push(frame)
      else if (direction === 'sent') exchanges.set(key, { request: { ...frame, http }, responses: [] })
    }
  }
  return { exchanges: [...exchanges.values()], sockets: [...sockets.values()], others }
}
