import { DEFAULT_LIMITS, type Limits } from '../protocol/limits.ts'
import type { JsonObject } from '../protocol/json.ts'
import { SUPPORTED, type Revision } from '../protocol/revisions.ts'
import type { RegistryView } from '../registry/entries.ts'
import type { SharedStore } from '../registry/invocation.ts'
import { MemoryStore } from '../registry/memory-store.ts'
import type { ServerPort } from '../transports/server-port.ts'
import { capabilitiesOf } from './capabilities.ts'
import { ChangeHub } from './changes.ts'
import type { ServerCore } from './core.ts'
import { ListingCache } from './features/listing-cache.ts'
import { LoneRequests } from './legacy/lone.ts'
import { LegacySession } from './legacy/session.ts'
import { LinkConnection } from './link/connection.ts'
import { ModernServer } from './modern/modern-server.ts'
import { Validators } from './schemas/validators.ts'
import { SpokenRevisions } from './spoken-revisions.ts'

export type ServerOptions = {
  /** What the server offers; it may change at any time. */
  readonly registry: RegistryView
  /** Who the server is. */
  readonly info: { readonly name: string; readonly version: string } & JsonObject
  /** How a client's model may use the server. */
  readonly instructions?: string
  readonly limits?: Limits
  /** Which revisions are spoken (specification: Versioning); all that Patchbay knows if not given. */
  readonly revisions?: readonly Revision[]
  /**
   * Secret that seals what clients carry between rounds, 16 bytes at least. With the same key another process, or
   * this one after a restart, reads it too; without one a fresh key is made.
   */
  readonly sealKey?: Uint8Array
  /** What handlers share; in memory if not given. */
  readonly store?: SharedStore
}

/** An MCP server in both eras, on any number of connections. */
export type McpServer = ServerPort & {
  readonly limits: Limits
  /** Ends every attachment, subscription and suspended run. */
  close(): Promise<void>
}

/**
 * Makes a server that speaks every revision, or those of `revisions` (specification: Lifecycle, Versioning).
 * Throws a `RangeError` if `sealKey` is too short, or `revisions` is empty or names one that is unknown.
 */
export function createServer(options: ServerOptions): McpServer {
  const limits = options.limits ?? DEFAULT_LIMITS
  const core: ServerCore = {
    registry: options.registry,
    spoken: new SpokenRevisions(options.revisions ?? SUPPORTED),
    info: options.info,
    instructions: options.instructions,
    capabilities: () => capabilitiesOf(options.registry),
    limits,
    store: options.store ?? new MemoryStore(),
    changes: new ChangeHub(),
    validators: new Validators(),
    listings: new ListingCache(limits.pageItems),
  }
  const stopWatching = options.registry.onChange((change) => {
    core.changes.announce(change)
  })
  const modern = new ModernServer(core, options.sealKey)
  const lone = new LoneRequests(core)
  const connections = new Set<LinkConnection>()
  return {
    limits,
    revisions: core.spoken.all,
    modernRequest: (message, origin, sink) => modern.request(message, origin, sink),
    openSession: (session) => new LegacySession(core, session),
    lone: (posted, headers, reply) => lone.serve(posted, headers, reply),
    attach: (link, origin) => {
      const connection = new LinkConnection(core, modern, link, origin)
      connections.add(connection)
      void connection.closed.then(() => connections.delete(connection))
      return connection
    },
    close: async () => {
      stopWatching()
      await Promise.all([...connections].map((connection) => connection.close()))
      modern.close()
      core.changes.close()
    },
  }
}
