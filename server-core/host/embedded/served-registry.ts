import { randomBytes } from 'node:crypto'
import type { RegistryView } from '../../registry/entries.ts'
import { createServer } from '../../server/server.ts'
import { ListenError, startHttpListener } from '../../listener/http-listener.ts'
import type { FaultGate } from '../../ports/fault-port.ts'
import type { Tap } from '../../ports/tap.ts'
import type { SecretStore } from '../../profile/secret-store.ts'
import { isUnreadableSecret } from '../../workspace/storage-error.ts'
import { HostError } from '../host-error.ts'
import type { Identity } from '../servers/live-server.ts'
import { ConnectedClients } from './connected-clients.ts'
import type { Listen } from './embedded-server.ts'
import { foreignTap } from './foreign-tap.ts'

export type ServedRegistryOptions = {
  readonly registry: RegistryView
  readonly identity: Identity
  /** How the clients' models may use what is served just now. */
  readonly instructions: () => string | undefined
  readonly secretStore: SecretStore
  /** What sees the frames of other clients. */
  readonly tap: Tap
  /** Is called with each token of clients, which may be part of addresses. */
  readonly onSecret: (secret: string) => void
  /** Returns why clients are not served just now. */
  readonly off?: () => string | undefined
  /** Makes faults on purpose, where the user sets some. */
  readonly faults?: FaultGate
  /** The `User-Agent` by which requests of our own window are known. */
  readonly ownUserAgent: string
  /** Who is connected changed. */
  readonly clientsChanged: () => void
  /** A client sent a request, or one of its requests ended. */
  readonly clientsActive: () => void
}

export type ServedRegistry = {
  readonly listen: Listen
  readonly clients: ConnectedClients
  close(): Promise<void>
}

const SEAL_KEY = 'embedded/seal-key'

/** The server that Patchbay itself hosts, ready to listen, on every route of one port. */
export async function serveRegistry(options: ServedRegistryOptions): Promise<ServedRegistry> {
  const { registry, identity, faults } = options
  const isOwn = (headers: Readonly<Record<string, string>>) => headers['user-agent'] === options.ownUserAgent
  const clients = new ConnectedClients(isOwn, {
    changed: options.clientsChanged,
    active: options.clientsActive,
  })
  const server = createServer({
    registry,
    info: { ...identity },
    get instructions() {
      return options.instructions()
    },
    sealKey: await sealKey(options.secretStore),
    onClient: clients.onClient,
  })
  const tap = foreignTap(options.tap, isOwn)
  const routes = { mcp: true, sse: true, ws: true }
  return {
    clients,
    listen: async (port, tokens) => {
      for (const { token } of tokens()) options.onSecret(token)
      const gate = faults === undefined ? {} : { faults }
      try {
        const listener = await startHttpListener({
          server,
          port,
          token: tokens,
          tokensInPath: true,
          // Our own window stays connected: it is where the server is switched on again.
          off: (headers) => (headers['user-agent'] === options.ownUserAgent ? undefined : options.off?.()),
          tap,
          routes,
          // Nobody asked for the older one: it is there for who needs it.
          warns: false,
          ...gate,
        })
        return {
          url: listener.url,
          port: listener.port,
          otherClients: () => clients.list().filter(({ own }) => !own).length,
          endUnadmitted: () => listener.endUnadmitted(),
          close: () => listener.close(),
        }
      } catch (error) {
        if (!(error instanceof ListenError)) throw error
        if (error.code === 'port-taken') return undefined
        throw new HostError('PORT_UNAVAILABLE', error.message, { cause: error })
      }
    },
    close: () => server.close(),
  }
}

/**
 * What suspended runs are sealed with: stored, so that a restart can open what clients carry. While secrets cannot be
 * opened, a key for this run alone.
 */
async function sealKey(secretStore: SecretStore): Promise<Uint8Array> {
  const made = randomBytes(32)
  try {
    const stored = await secretStore.get(SEAL_KEY)
    if (stored !== undefined) return Buffer.from(stored, 'base64')
    await secretStore.set(SEAL_KEY, made.toString('base64'))
  } catch (error) {
    if (!isUnreadableSecret(error)) throw error
  }
  return made
}
