import { ServerResponse, type IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Admitted, Refused } from '../ports/authorization-port.ts'
import type { AccessGuard } from './access-guard.ts'
import type { UpgradeExchange } from './upgrade-exchange.ts'
import type { RequestPipeline } from './request-pipeline.ts'
import type { WebSocketRoute } from './websocket-route.ts'
import { PATHS } from './routes.ts'
import { takeOfferedToken, type UpgradeFault } from './websocket-upgrade.ts'

export type UpgradeOptions = {
  readonly front: RequestPipeline
  readonly guard: AccessGuard
  readonly webSockets: WebSocketRoute
  /** Pages may carry their token in a subprotocol. */
  readonly tokensInSubprotocol: boolean
}

/**
 * What every request for a WebSocket goes through, before anything is switched: Host, Origin, method, token, then the
 * handshake itself. A refusal is an ordinary HTTP answer.
 */
export class Upgrade {
  readonly #options: UpgradeOptions
  /** Sockets whose callers are being decided on. */
  readonly #waiting = new Set<Duplex>()

  constructor(options: UpgradeOptions) {
    this.#options = options
  }

  serve(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { front, guard: guard } = this.#options
    const response = new ServerResponse(request)
    const exchange = front.exchange(request, response)
    const drop = () => socket.destroy()
    socket.on('error', drop)
    const enter = (admission: Admitted | Refused) => {
      this.#waiting.delete(socket)
      const refused = 'status' in admission ? admission : this.#admitted(exchange, admission)
      if (refused !== undefined) {
        refuse(exchange, socket, refused)
        return
      }
      socket.off('error', drop)
      this.#options.webSockets.connect(exchange, socket, head)
    }
    const refused = guard.refuseForeign(request) ?? wrongMethod(request)
    if (refused !== undefined) {
      refuse(exchange, socket, refused)
      return
    }
    if (this.#options.tokensInSubprotocol) takeOfferedToken(request)
    const admission = guard.admit(request, PATHS.ws)
    if (admission instanceof Promise) {
      this.#waiting.add(socket)
      void admission.then(enter)
    } else enter(admission)
  }

  /** Ends undecided upgrades. */
  destroy(): void {
    for (const socket of this.#waiting) socket.destroy()
  }

  #admitted(exchange: UpgradeExchange, admitted: Admitted): UpgradeFault | undefined {
    exchange.admitted = admitted
    const { guard: guard, webSockets } = this.#options
    return guard.refuseWhileOff(exchange.request) ?? webSockets.fault(exchange)
  }
}

function wrongMethod({ method = '' }: IncomingMessage): UpgradeFault | undefined {
  if (method === 'GET') return undefined
  return { status: 405, reason: `Method ${method} is not served here`, headers: { allow: 'GET, OPTIONS' } }
}

function refuse(exchange: UpgradeExchange, socket: Duplex, { status, reason, headers }: UpgradeFault): void {
  const { response } = exchange
  if (!(socket instanceof Socket) || socket.destroyed) return
  response.on('finish', () => {
    socket.destroySoon()
  })
  exchange.sendPlain(status, reason, { ...headers, connection: 'close' })
  response.assignSocket(socket)
}
