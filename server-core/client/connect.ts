import { limitsOf, type Limits } from '../protocol/limits.ts'
import type { JsonRpcNotification } from '../protocol/messages.ts'
import type { Revision } from '../protocol/revisions.ts'
import type { TransportError } from '../ports/contract.ts'
import type { Open } from '../transports/opener.ts'
import { ResultCache } from './caching/result-cache.ts'
import { Connection, type CacheOptions } from './connection.ts'
import type { Declaration } from './declaration.ts'
import type { Identity } from './envelope.ts'
import type { ProbeStep } from './errors.ts'
import type { ConnectionListeners } from './events.ts'
import { withExtensions, type ClientExtension } from './extension.ts'
import { Probe } from './probe.ts'
import type { ProbeMemory } from './probe-memory.ts'
import { capabilitiesOf, type Responders } from './responders.ts'

export type { Connection }

/** How a connection is opened, over any transport. */
export type ConnectOptions = {
  /** Makes a transport that was never used; called again if a process has to be replaced (`transportsFor`). */
  readonly open: Open
  /** The older transport at the same address, for a server that refuses the first. */
  readonly openOlder?: Open
  readonly identity: Identity
  /** What this client answers; nothing else is declared, unless there is a `declaration`. */
  readonly responders?: Responders
  /** What is declared instead of `identity` and of what the responders amount to. */
  readonly declaration?: Declaration
  /** A revision to insist on; `auto` finds the newest that both speak. */
  readonly protocol?: 'auto' | Revision
  /** Default for those that are missing; `RangeError` for an invalid one. */
  readonly limits?: Partial<Limits>
  /** How long a process may be silent to the first question before the other is asked beside it; 3,000. */
  readonly probeTimeoutMs?: number
  /** Milliseconds after which another process is started beside one that is silent to both openings; 12,000. */
  readonly silenceMs?: number
  /** Default for every request, the handshake included; 60,000. */
  readonly requestTimeoutMs?: number
  /** What earlier connections to the same server have shown, and this one adds. */
  readonly memory?: ProbeMemory | undefined
  /** Gets every notification, those that other members report included. */
  readonly onNotification?: (message: JsonRpcNotification) => void
  readonly onClosed?: (error: TransportError) => void
  /** Listeners from the start, by event; more may be added on the connection. */
  readonly listeners?: ConnectionListeners
  /** Additions to the protocol; they are declared, unless there is a `declaration` that leaves them out. */
  readonly extensions?: readonly ClientExtension[]
  /** Where results that may be kept are (2026-07-28); the connection has a cache of its own unless told. */
  readonly cache?: CacheOptions
  /** Reports each step of the negotiation as soon as it ends. */
  readonly onStep?: (step: ProbeStep) => void
  readonly signal?: AbortSignal
}

/**
 * Connects to a server and agrees with it on a revision (versioning; lifecycle). Throws a `ConnectError` that tells
 * the cause, the steps that were tried and the evidence; nothing is left running once its `ended` resolves.
 *
 * @example
 * ```ts
 * import { connect } from 'patchbay/client'
 * import { memoryPair } from 'patchbay/memory'
 * import { createServer, Registry } from 'patchbay/server'
 *
 * const server = createServer({ registry: new Registry(), info: { name: 'tested', version: '1.0.0' } })
 * const pair = memoryPair()
 * server.attach(pair.server)
 * const connection = await connect({ open: () => pair.client, identity: { name: 'test', version: '1.0.0' } })
 * console.log(connection.serverInfo)
 * await connection.close()
 * ```
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { open, openOlder, identity, responders = {}, protocol = 'auto' } = options
  const limits = limitsOf(options.limits)
  const {
    probeTimeoutMs = 3_000,
    silenceMs = 12_000,
    requestTimeoutMs = 60_000,
    onNotification,
    onClosed,
    onStep,
    memory,
    signal,
  } = options
  const { extensions = [], listeners = {} } = options
  const { cache = { cache: new ResultCache({ maxBytes: limits.cacheBytes }), server: '' } } = options
  const capabilities = withExtensions(capabilitiesOf(responders), extensions)
  const { declaration = { identity, capabilities } } = options
  const probe = new Probe({
    open,
    openOlder,
    ...declaration,
    protocol,
    limits,
    probeTimeoutMs,
    silenceMs,
    requestTimeoutMs,
    memory,
    signal,
    onStep,
  })
  const agreement = await probe.run()
  return new Connection(agreement, probe.steps, {
    declaration,
    responders,
    requestTimeoutMs,
    extensions,
    cache,
    listeners: [{ notification: onNotification, closed: onClosed }, listeners],
  })
}
