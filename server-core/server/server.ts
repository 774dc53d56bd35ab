import { limitsOf, type Limits } from '../protocol/limits.ts'
import type { JsonObject } from '../protocol/json.ts'
import { SUPPORTED, type Revision } from '../protocol/revisions.ts'
import type { RegistryView } from '../registry/entries.ts'
import type { SharedStore } from '../registry/invocation.ts'
import { MemoryStore } from '../registry/memory-store.ts'
import type { ServerPort } from '../ports/server-port.ts'
import { cachingOf, type Caching } from './caching.ts'
import { capabilitiesOf } from './capabilities.ts'
import { ChangeHub } from './changes.ts'
import type { ServerCore } from './core.ts'
import type { Extension } from './extensions/extension.ts'
import { Extensions } from './extensions/extensions.ts'
import { ListingCache } from './features/listing-cache.ts'
import { SessionlessRequests } from './legacy/sessionless.ts'
import { LegacySession } from './legacy/session.ts'
import { LinkConnection } from './link/connection.ts'
import { ModernServer } from './modern/modern-server.ts'
import type { SealKey } from './modern/state-cipher.ts'
import { prepareValidators, Validators } from './schemas/validators.ts'
import { requireServed } from './required-options.ts'
import type { ClientListener } from './server-client.ts'
import { SpokenRevisions } from './spoken-revisions.ts'
import { tasksExtension } from './tasks/extension.ts'
import { offersTasks } from './tasks/offered.ts'
import { TaskStore, type TaskOptions } from './tasks/task-store.ts'

/** What a server serves, and how. */
export type ServerOptions = {
  /** What the server offers; it may change at any time. */
  readonly registry: RegistryView
  /** Who the server is. */
  readonly info: { readonly name: string; readonly version: string } & JsonObject
  /** How a client's model may use the server. */
  readonly instructions?: string | undefined
  /** Default for those that are missing; `RangeError` for an invalid one. */
  readonly limits?: Partial<Limits>
  /** Which revisions are spoken (specification: Versioning); all that Patchbay knows if not given. */
  readonly revisions?: readonly Revision[]
  /**
   * Secret that seals what clients carry between rounds, 16 bytes at least. With the same key another process, or
   * this one after a restart, reads it too; without one a fresh key is made. A function is asked for it at the first
   * use.
   */
  readonly sealKey?: SealKey
  /** Additions to the protocol, beside the Tasks extension, which is there whenever a tool may run as a task. */
  readonly extensions?: readonly Extension[]
  /** How long tasks are kept, and how often clients should look at them. */
  readonly tasks?: TaskOptions
  /** How long clients may keep what `server/discover` and the lists say; not at all where nothing is given. */
  readonly caching?: Partial<Caching>
  /** What handlers share; in memory if not given. */
  readonly store?: SharedStore
  /** Called when clients come, ask, subscribe and go, except for requests of older revisions without a session. */
  readonly onClient?: ClientListener
}

/** An MCP server in both eras, on any number of connections. */
export type McpServer = ServerPort & {
  readonly limits: Limits
  /**
   * Loads what the first call with arguments, or the first form, would wait for. A server that should start in a
   * blink leaves it; one that stays may do so as soon as it listens.
   */
  prepare(): Promise<void>
  /** Ends every attachment, subscription, suspended run and task. */
  close(): Promise<void>
}

/**
 * Creates a server that supports every revision, or those of `revisions` (specification: Lifecycle, Versioning).
 * Throws a `RangeError` if `sealKey` is too short, `revisions` is empty or names an unknown one, an extension
 * claims a method of another, or `caching` or `limits` contains an invalid value; a `TypeError` without
 * a registry, or an `info` with name and version.
 *
 * @example
 * ```ts
 * import { createServer, Registry, startHttpListener } from 'patchbay/server'
 *
 * const registry = new Registry()
 * registry.addTool({ name: 'hello', run: () => 'Hello' })
 * const server = createServer({ registry, info: { name: 'mine', version: '1.0.0' } })
 * const listener = await startHttpListener({ server, port: 0 })
 * console.log(listener.url)
 * await listener.close()
 * await server.close()
 * ```
 */
export function createServer(options: ServerOptions): McpServer {
  requireServed(options)
  const limits = limitsOf(options.limits)
  const { registry } = options
  const validators = new Validators()
  const tasks = new TaskStore(limits, options.tasks)
  const offered = () => offersTasks(registry)
  const ownExtensions = [tasksExtension({ store: tasks, validators, offered })]
  const extensions = new Extensions([...ownExtensions, ...(options.extensions ?? [])])
  const core: ServerCore = {
    registry,
    spoken: new SpokenRevisions(options.revisions ?? SUPPORTED),
    info: options.info,
    // What it says may change while it serves.
    get instructions() {
      return options.instructions
    },
    capabilities: (era) => {
      const declared = extensions.declared(era)
      return { ...capabilitiesOf(registry), ...(declared === undefined ? {} : { extensions: declared }) }
    },
    limits,
    store: options.store ?? new MemoryStore(),
    changes: new ChangeHub(registry),
    validators,
    listings: new ListingCache(limits.pageItems),
    caching: cachingOf(options.caching),
    extensions,
    tasks,
    onClient: options.onClient,
  }
  const stopWatching = registry.onChange((change) => {
    core.changes.registryChanged(change)
  })
  const modern = new ModernServer(core, options.sealKey)
  const sessionless = new SessionlessRequests(core)
  const connections = new Set<LinkConnection>()
  return {
    limits,
    revisions: core.spoken.all,
    modernRequest: (message, origin, sink) => modern.request(message, origin, sink),
    modernNotification: (message, origin) => {
      modern.notification(message, origin)
    },
    openSession: (session) => new LegacySession(core, session),
    sessionless: (posted, requestContext, reply) => sessionless.serve(posted, requestContext, reply),
    attach: (link, origin) => {
      const connection = new LinkConnection(core, modern, link, origin)
      connections.add(connection)
      void connection.closed.then(() => connections.delete(connection))
      return connection
    },
    prepare: prepareValidators,
    close: async () => {
      stopWatching()
      await Promise.all([...connections].map((connection) => connection.close()))
      modern.close()
      extensions.close()
      tasks.close()
      core.changes.close()
    },
  }
}
