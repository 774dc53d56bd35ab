import type { Duplex } from 'node:stream'
import type { WebSocketServer } from 'ws'
import type { Limits } from '../protocol/limits.ts'
import { ownerOf, type Admitted, type Refused } from '../ports/authorization-port.ts'
import type { FaultGate } from '../ports/fault-port.ts'
import type { UpgradeExchange } from './upgrade-exchange.ts'
import type { StreamMonitor } from './stream-monitor.ts'
import type { Attachment, ServerPort } from '../ports/server-port.ts'
import type { CountedSessions, SessionLimit } from './session-limit.ts'
import type { Tap } from '../ports/tap.ts'
import { CloseCode, WebSocketLink } from './websocket-link.ts'
import { SUBPROTOCOL, upgradeFault, type UpgradeFault } from './websocket-upgrade.ts'

export type WebSocketRouteOptions = {
  readonly server: ServerPort
  readonly monitor: StreamMonitor
  readonly sessionLimit: SessionLimit
  readonly tap: Tap
  readonly faults: FaultGate
  /** Names the listener, so that an anonymous caller of one is not taken for one of another. */
  readonly name: string
  /** Returns why a caller may not send that message. */
  readonly refuse: (admitted: Admitted, message: unknown) => Refused | undefined
}

/** Milliseconds a client has to answer a closing frame. */
const CLOSE_MS = 2_000
/** What `ws` can count to. */
const MAX_PAYLOAD = 2 ** 31 - 1

/** Loads the library that frames messages, and sets it up; listeners without this route never do. */
export async function loadWebSockets(limits: Limits): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws')
  // The types do not know every option.
  const settings = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: Math.min(limits.messageBytes, MAX_PAYLOAD),
    closeTimeout: CLOSE_MS,
    handleProtocols: () => SUBPROTOCOL,
  }
  return new WebSocketServer(settings)
}

/** WebSockets of one listener (no revision defines them): both eras, a session is a connection. */
export class WebSocketRoute implements CountedSessions {
  readonly #options: WebSocketRouteOptions
  readonly #sockets: WebSocketServer
  readonly #links = new Map<WebSocketLink, { readonly caller: string; readonly attachment: Attachment }>()

  constructor(options: WebSocketRouteOptions, sockets: WebSocketServer) {
    this.#options = options
    this.#sockets = sockets
    options.sessionLimit.include(this)
  }

  get size(): number {
    return this.#links.size
  }

  /** Returns why a handshake is refused, whose caller may come in. */
  fault({ request }: UpgradeExchange): UpgradeFault | undefined {
    const fault = upgradeFault(request)
    if (fault !== undefined) return fault
    const { sessionLimit, faults } = this.#options
    const injected = faults.injector?.refusal('websocket', undefined)
    if (injected !== undefined) return { status: injected.status, reason: 'refused by a fault' }
    return sessionLimit.hasRoom() ? undefined : { status: 503, reason: sessionLimit.refusal.message }
  }

  /** Makes the upgrade. `head` is what the client sent behind its request. */
  connect(exchange: UpgradeExchange, stream: Duplex, head: Buffer): void {
    const { server, monitor, name, refuse, faults } = this.#options
    const { request, admitted } = exchange
    const tap = this.#options.tap.fork?.('websocket') ?? this.#options.tap
    exchange.seenBy(tap)
    this.#sockets.handleUpgrade(request, stream, head, (socket) => {
      exchange.switched({ 'sec-websocket-protocol': SUBPROTOCOL })
      const link = new WebSocketLink({
        socket,
        stream,
        tap,
        monitor,
        faults,
        expiresAt: admitted.expiresAt,
        refuse: (message) => refuse(admitted, message)?.reason,
      })
      const { caller } = admitted
      const attachment = server.attach(link, {
        ...exchange.requestContext(),
        caller: ownerOf(admitted, name),
      })
      this.#links.set(link, { caller, attachment })
      void attachment.closed.then(() => this.#links.delete(link))
    })
  }

  /** A connection is idle when it is dead, and then it is closed already. */
  endIdle(): void {
    // Nothing to do: pings find the dead.
  }

  /** Refuses new requests, and closes each connection once its requests in flight are answered. */
  finish(): void {
    for (const { attachment } of this.#links.values()) attachment.finish()
  }

  /** Closes the connections of these callers. */
  endOf(isGone: (caller: string) => boolean): void {
    for (const [link, { caller }] of this.#links) {
      if (isGone(caller)) void link.close(CloseCode.policy, 'the token is not valid any more')
    }
  }

  /** Resolves when every connection has closed. */
  async closed(): Promise<void> {
    await Promise.all([...this.#links.values()].map(({ attachment }) => attachment.closed))
  }

  /** Ends what is left without a word. */
  destroy(): void {
    for (const link of this.#links.keys()) link.destroy('the listener was closed')
  }
}
