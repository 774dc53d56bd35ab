import type { Declaration } from '../../client/declaration.ts'
import { limitsOf } from '../../protocol/limits.ts'
import { classifyMessage, type JsonRpcNotification, type JsonRpcRequest } from '../../protocol/messages.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { SUPPORTED, type Revision } from '../../protocol/revisions.ts'
import { Registry } from '../../registry/registry.ts'
import { createServer, type ServerOptions } from '../../server/server.ts'
import { SpokenRevisions } from '../../server/spoken-revisions.ts'
import type { ServerLink } from '../../ports/contract.ts'
import type { EncodedMessage } from '../../ports/encoded-message.ts'
import type {
  Attachment,
  RequestContext,
  LinkOrigin,
  OpenRequest,
  ReplySink,
  RequestOrigin,
  ServerPort,
} from '../../ports/server-port.ts'
import { clientErrorText } from './client-errors.ts'
import {
  openDownstreamServer,
  type DownstreamServer,
  type DownstreamServerSettings,
  type UpstreamServer,
} from './downstream-server.ts'
import { isAlias } from './member-names.ts'
import { ProxiedSession, unreachable } from './proxied-session.ts'
import { DownstreamServerPool } from './downstream-server-pool.ts'
import type { UpstreamNotice } from './upstream.ts'
import { WaitingLink } from './waiting-link.ts'

export type { UpstreamServer }

/** The servers behind a proxy, and how it presents itself. */
export type ProxyOptions = Pick<ServerOptions, 'limits' | 'revisions' | 'sealKey'> & {
  /** One without an alias is served as it is; several, each with its own, are served as one. */
  readonly servers: readonly UpstreamServer[]
  /** Who the bridge is, and who asks where a client does not say who it is. */
  readonly info: Declaration['identity']
  readonly onNotice?: (notice: UpstreamNotice) => void
  /** Milliseconds that a new client waits for a server that is one of several; 2,000. */
  readonly patienceMs?: number
  /** Milliseconds before a disconnected server is tried again, twice as many each time up to 30,000; 1,000. */
  readonly retryMs?: number
}

/** A server whose entries are those of others. */
export type Proxy = ServerPort & { close(): Promise<void> }

/**
 * Serves other servers on, over every transport, in every revision. Each client in front that has a session, or a
 * connection, is a client of its own behind; independent requests share as far as nothing can be mixed up
 * (`Lines`). Throws a `RangeError` for servers without aliases, or with the same or unfit ones.
 *
 * @example
 * ```ts
 * import { connectTo } from 'patchbay/client'
 * import { createProxy, startHttpListener } from 'patchbay/server'
 *
 * // One server over stdio, exposed over HTTP in every revision.
 * const proxy = createProxy({
 *   info: { name: 'my-proxy', version: '1.0.0' },
 *   servers: [
 *     {
 *       open: (parts) =>
 *         connectTo(
 *           { transport: 'stdio', command: 'node', args: ['server.js'] },
 *           { identity: parts.declaration.identity, ...parts },
 *         ),
 *     },
 *   ],
 * })
 * const listener = await startHttpListener({ server: proxy, port: 0 })
 * console.log(listener.url)
 * await listener.close()
 * await proxy.close()
 * ```
 */
export function createProxy(options: ProxyOptions): Proxy {
  checkAliases(options.servers)
  return new ProxyPort(options)
}

class ProxyPort implements Proxy {
  readonly #settings: DownstreamServerSettings
  readonly #spoken: SpokenRevisions
  readonly #blank: ReturnType<typeof createServer>
  readonly #shared: DownstreamServerPool
  readonly #attachments = new Set<Attachment>()
  readonly #sessions = new Set<ProxiedSession>()

  constructor(options: ProxyOptions) {
    const { servers, info, limits, revisions, sealKey, onNotice = () => undefined } = options
    const given = {
      info,
      ...(limits !== undefined && { limits }),
      ...(revisions !== undefined && { revisions }),
      ...(sealKey !== undefined && { sealKey }),
    }
    this.#settings = {
      ...given,
      servers,
      onNotice,
      patienceMs: options.patienceMs ?? 2_000,
      retryMs: options.retryMs,
      late: new Set(),
    }
    this.#spoken = new SpokenRevisions(revisions ?? SUPPORTED)
    this.#blank = createServer({ ...given, registry: new Registry() })
    const open = (declaration: Declaration) => openDownstreamServer(this.#settings, declaration, false)
    this.#shared = new DownstreamServerPool(open, limitsOf(limits).sessionIdleMs)
  }

  get revisions(): readonly Revision[] {
    return this.#blank.revisions
  }

  modernRequest(message: JsonRpcRequest, origin: RequestOrigin, sink: ReplySink): OpenRequest {
    const request = new PendingRequest()
    this.#withShared(message, origin.caller, sink, (downstream, counted) => {
      request.is(downstream.server.modernRequest(message, origin, counted))
    })
    return request
  }

  modernNotification(message: JsonRpcNotification, origin: RequestOrigin): void {
    for (const downstream of this.#shared.of(origin.caller))
      downstream.server.modernNotification(message, origin)
  }

  openSession(options: Parameters<ServerPort['openSession']>[0]): ProxiedSession {
    const session: ProxiedSession = new ProxiedSession({
      options,
      blank: this.#blank,
      revisionFor: ({ params }) => {
        const offered = params?.['protocolVersion']
        return typeof offered === 'string' ? this.#spoken.negotiate(offered)?.revision : undefined
      },
      open: (message) => this.#ownServer(message),
      onClosed: () => this.#sessions.delete(session),
    })
    this.#sessions.add(session)
    return session
  }

  sessionless(
    posted: JsonRpcRequest | JsonRpcNotification | readonly unknown[],
    requestContext: RequestContext,
    reply: () => ReplySink,
  ): boolean {
    if (!('id' in posted)) return this.#blank.sessionless(posted, requestContext, reply)
    const sink = reply()
    this.#withShared(
      posted,
      JSON.stringify(['lone', requestContext.principal ?? null]),
      sink,
      (downstream, counted) => {
        try {
          downstream.server.sessionless(posted, requestContext, () => counted)
        } catch (error) {
          if (!(error instanceof ProtocolError)) throw error
          counted.answer(
            Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: posted.id, error: error.toBody() })),
            400,
          )
        }
      },
    )
    return true
  }

  attach(link: ServerLink, origin?: LinkOrigin): Attachment {
    let downstream: DownstreamServer | undefined
    let attachment: Attachment | undefined
    let isOpening = false
    let isFinishing = false
    const asking: JsonRpcRequest[] = []
    const open = async (message: JsonRpcRequest) => {
      isOpening = true
      try {
        downstream = await this.#ownServer(message)
        attachment = downstream.server.attach(waiting, origin)
        if (isFinishing) attachment.finish()
      } catch (error) {
        isOpening = false
        waiting.forget()
        for (const { id } of asking.splice(0)) link.sendEncoded(unreachable(id, error))
        if (waiting.hasEnded || isFinishing) await link.close()
      }
    }
    const waiting: WaitingLink = new WaitingLink(
      link,
      (value) => {
        const classified = classifyMessage(value)
        if (classified.type !== 'request') return
        asking.push(classified.message)
        if (!isOpening) void open(classified.message)
      },
      () => {
        if (!isOpening) void link.close()
      },
    )
    const closed = waiting.closed.then(async () => {
      await downstream?.close()
    })
    const own: Attachment = {
      get revision() {
        return attachment?.revision
      },
      get inFlight() {
        return attachment?.inFlight ?? 0
      },
      get listening() {
        return attachment?.listening ?? 0
      },
      closed,
      finish: () => {
        isFinishing = true
        if (attachment !== undefined) attachment.finish()
        // While a server is being opened for its first request, that request is in flight.
        else if (!isOpening) void link.close()
      },
      close: async () => {
        await (attachment?.close() ?? link.close())
        await closed
      },
    }
    this.#attachments.add(own)
    void closed.then(() => this.#attachments.delete(own))
    return own
  }

  async close(): Promise<void> {
    for (const session of this.#sessions) session.close()
    await Promise.all([...this.#attachments].map((attachment) => attachment.close()))
    await Promise.all([this.#shared.close(), this.#blank.close()])
  }

  #ownServer(message: JsonRpcRequest): Promise<DownstreamServer> {
    return openDownstreamServer(this.#settings, clientErrorText(message, this.#settings.info), true)
  }

  #withShared(
    message: JsonRpcRequest,
    caller: string,
    sink: ReplySink,
    serve: (downstream: DownstreamServer, sink: ReplySink) => void,
  ): void {
    try {
      const words = clientErrorText(message, this.#settings.info)
      const { downstream: downstream, done } = this.#shared.use(caller, words)
      const counted = new CountedSink(sink, done)
      if (!(downstream instanceof Promise)) serve(downstream, counted)
      else {
        downstream.then(
          (there) => {
            serve(there, counted)
          },
          (error: unknown) => {
            counted.answer(unreachable(message.id, error), 200)
          },
        )
      }
    } catch (error) {
      sink.answer(unreachable(message.id, error), 503)
    }
  }
}

/** A request whose server may still be in the making. */
class PendingRequest implements OpenRequest {
  #request: OpenRequest | undefined
  #cancelled: string | undefined

  is(request: OpenRequest): void {
    this.#request = request
    if (this.#cancelled !== undefined) request.cancel(this.#cancelled)
  }

  finish(): void {
    this.#request?.finish()
  }

  cancel(reason: string): void {
    this.#cancelled = reason
    this.#request?.cancel(reason)
  }
}

/** Called when the reply is over. */
class CountedSink implements ReplySink {
  readonly #sink: ReplySink
  readonly #done: () => void

  constructor(sink: ReplySink, done: () => void) {
    this.#sink = sink
    this.#done = done
  }

  get streaming(): boolean {
    return this.#sink.streaming === true
  }

  emit(bytes: Uint8Array): void {
    this.#sink.emit(bytes)
  }

  answer(message: EncodedMessage, status: number): void {
    this.#sink.answer(message, status)
    this.#done()
  }

  abandon(): void {
    this.#sink.abandon()
    this.#done()
  }

  release(retryMs: number | undefined): void {
    this.#sink.release?.(retryMs)
  }
}

function checkAliases(servers: readonly UpstreamServer[]): void {
  const aliases = servers.map(({ alias }) => alias)
  if (servers.length === 0) throw new RangeError('a proxy needs a server that it serves on; there is none')
  if (servers.length > 1 && aliases.includes(undefined)) {
    throw new RangeError('each of several servers needs an alias, which is the prefix of its names')
  }
  const twice = aliases.find((alias, at) => alias !== undefined && aliases.indexOf(alias) !== at)
  if (twice !== undefined) throw new RangeError(`two servers have the alias "${twice}"`)
  const invalidAlias = aliases.find((alias) => alias !== undefined && !isAlias(alias))
  if (invalidAlias !== undefined) {
    throw new RangeError(
      `"${invalidAlias}" cannot be an alias: expected letters, digits, ".", "-" and single "_" between them, 64 at most`,
    )
  }
}
