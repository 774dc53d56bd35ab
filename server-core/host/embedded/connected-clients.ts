import type { JsonObject } from '../../protocol/json.ts'
import { isJsonObject } from '../../protocol/json.ts'
import type { JsonRpcRequest } from '../../protocol/messages.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'
import type { ServerLink, TransportKind } from '../../ports/contract.ts'
import type { EncodedMessage } from '../../ports/encoded-message.ts'
import type {
  Attachment,
  RequestContext,
  LinkOrigin,
  ReplySink,
  RequestOrigin,
  ServerPort,
  ServerSession,
  SessionOptions,
} from '../../ports/server-port.ts'
import type { ConnectedClient } from '../contract/registry.ts'

/** Milliseconds for which a client is listed that has no connection and asks nothing. */
const QUIET_MS = 5 * 60_000
/** Requests that count as calls; the rest looks at the server or keeps the connection. */
const CALLS = new Set(['tools/call', 'resources/read', 'prompts/get', 'completion/complete'])

/** Requests that change who is subscribed to what. */
const SUBSCRIBING = new Set(['resources/subscribe', 'resources/unsubscribe', 'subscriptions/listen'])

/** What is called when clients do something. */
export type ClientEvents = {
  /** A client came, went, subscribed or unsubscribed. */
  changed(): void
  /** A client sent another request, or one of its requests ended. */
  active(): void
}

type Client = {
  readonly id: string
  readonly transport: TransportKind
  readonly own: boolean
  readonly since: number
  readonly address: string | undefined
  readonly sessionId: string | undefined
  /** Whom its token names. */
  readonly principal: string | undefined
  /** Missing: it has no connection of its own. */
  readonly connection?: { revision(): string | undefined; running(): number }
  info: JsonObject
  revision: string
  lastRequestAt: number
  calls: number
  running: number
  /** How many of its running requests only listen: they last, and nothing runs for them. */
  listening: number
  /** How many times each URI is subscribed to. */
  readonly subscriptions: Map<string, number>
}

/**
 * Who is connected to a server: a port in front of it that looks at who opens sessions and links, and who asks without
 * either. It keeps a few facts of each and takes nothing apart.
 */
export class ConnectedClients {
  readonly port: ServerPort
  readonly #isOwn: (headers: Readonly<Record<string, string>>) => boolean
  readonly #clients = new Set<Client>()
  readonly #askers = new Map<string, Client>()
  readonly #events: ClientEvents
  #nextId = 1

  /**
   * @param isOwn recognises our own window by its headers
   * @param events called when `list` returns something else
   */
  constructor(
    server: ServerPort,
    isOwn: (headers: Readonly<Record<string, string>>) => boolean,
    events: ClientEvents,
  ) {
    this.#isOwn = isOwn
    this.#events = events
    this.port = {
      revisions: server.revisions,
      modernRequest: (message, origin, sink) => {
        const watched = this.#asked(message, origin, sink)
        return server.modernRequest(message, origin, watched)
      },
      modernNotification: (message, origin) => {
        server.modernNotification(message, origin)
      },
      openSession: (options) => this.#session(server.openSession(options), options),
      attach: (link, origin) => this.#attach(server, link, origin),
      sessionless: (posted, carried, reply) => server.sessionless(posted, carried, reply),
    }
  }

  /** Those who are there, oldest first. */
  list(): readonly ConnectedClient[] {
    const now = Date.now()
    for (const [key, client] of this.#askers) {
      if (client.running > 0 || now - client.lastRequestAt < QUIET_MS) continue
      this.#askers.delete(key)
      this.#clients.delete(client)
    }
    return [...this.#clients].flatMap((client) => shown(client))
  }

  /** How many clients are subscribed to a resource. */
  subscribersOf(uri: string): number {
    return [...this.#clients].filter(({ subscriptions }) => subscriptions.has(uri)).length
  }

  #session(session: ServerSession, { sessionId, transport = 'http' }: SessionOptions): ServerSession {
    let client: Client | undefined
    const connection = { revision: () => session.revision, running: () => session.inFlight }
    return {
      get revision() {
        return session.revision
      },
      get inFlight() {
        return session.inFlight
      },
      request: (message, carried, sink) => {
        if (client === undefined && message.method === 'initialize') {
          client = this.#enter({ transport, connection, sessionId, carried })
          name(client, message.params?.['clientInfo'])
        }
        if (client !== undefined) this.#used(client, message)
        session.request(message, carried, sink)
      },
      batch: (items, carried, reply) => {
        if (client !== undefined) for (const item of items) if (isRequest(item)) this.#used(client, item)
        return session.batch(items, carried, reply)
      },
      notification: (message) => {
        session.notification(message)
      },
      response: (message) => {
        session.response(message)
      },
      ended: () => {
        session.ended()
      },
      close: () => {
        if (client !== undefined) this.#leave(client)
        session.close()
      },
    }
  }

  #attach(server: ServerPort, link: ServerLink, origin: LinkOrigin | undefined): Attachment {
    const carried: RequestContext = origin ?? { headers: {} }
    const seen: { attachment?: Attachment } = {}
    const client = this.#enter({
      transport: link.kind,
      carried,
      connection: {
        revision: () => seen.attachment?.revision,
        running: () => (seen.attachment?.inFlight ?? 0) - (seen.attachment?.listening ?? 0),
      },
    })
    const watched: ServerLink = {
      kind: link.kind,
      start: (receiver) => {
        link.start({
          message: (value) => {
            const items: readonly unknown[] = Array.isArray(value) ? value : [value]
            for (const item of items) if (isRequest(item)) this.#onRequest(client, item)
            receiver.message(value)
          },
          invalid: (error) => {
            receiver.invalid(error)
          },
          ended: () => {
            receiver.ended()
          },
          closed: () => {
            receiver.closed()
          },
        })
      },
      send: (message) => {
        link.send(message)
      },
      sendEncoded: (message) => {
        link.sendEncoded(message)
      },
      close: () => link.close(),
    }
    const attachment = server.attach(watched, origin)
    seen.attachment = attachment
    void attachment.closed.then(() => {
      this.#leave(client)
    })
    return attachment
  }

  /** A request on a link, of either era. */
  #onRequest(client: Client, message: JsonRpcRequest): void {
    const { params } = message
    const { info, revision } = claimed(message)
    if (message.method === 'initialize') name(client, params?.['clientInfo'])
    else if (revision !== '') {
      name(client, info)
      client.revision = revision
    }
    this.#used(client, message)
    if (message.method === 'subscriptions/listen')
      for (const uri of listenedUris(params)) subscribe(client, uri)
  }

  /** A request of a client that is remembered by nothing but what it says of itself. */
  #asked(message: JsonRpcRequest, origin: RequestOrigin, sink: ReplySink): ReplySink {
    const { info, revision } = claimed(message)
    const address = origin.peer?.remoteAddress
    const key = JSON.stringify([origin.caller, info, address, origin.headers['user-agent']])
    let client = this.#askers.get(key)
    if (client === undefined) {
      client = this.#enter({ transport: 'http', carried: origin })
      name(client, info)
      this.#askers.set(key, client)
    }
    client.revision = revision
    this.#used(client, message)
    const isListening = message.method === 'subscriptions/listen'
    const uris = isListening ? listenedUris(message.params) : []
    for (const uri of uris) subscribe(client, uri)
    client.running += 1
    if (isListening) client.listening += 1
    return new WatchedSink(sink, () => {
      client.running -= 1
      if (isListening) client.listening -= 1
      for (const uri of uris) unsubscribe(client, uri)
      if (uris.length > 0) this.#events.changed()
      else this.#events.active()
    })
  }

  #enter({
    transport,
    carried,
    sessionId,
    connection,
  }: {
    readonly transport: TransportKind
    readonly carried: RequestContext
    readonly sessionId?: string | undefined
    readonly connection?: Client['connection']
  }): Client {
    const { remoteAddress, remotePort } = carried.peer ?? {}
    const client: Client = {
      id: String(this.#nextId),
      transport,
      own: this.#isOwn(carried.headers),
      since: Date.now(),
      address: remoteAddress === undefined ? undefined : `${remoteAddress}:${remotePort ?? 0}`,
      sessionId,
      principal: carried.principal?.subject,
      ...(connection !== undefined && { connection }),
      info: {},
      revision: '',
      lastRequestAt: Date.now(),
      calls: 0,
      running: 0,
      listening: 0,
      subscriptions: new Map(),
    }
    this.#nextId += 1
    this.#clients.add(client)
    this.#events.changed()
    return client
  }

  #used(client: Client, { method, params }: JsonRpcRequest): void {
    client.lastRequestAt = Date.now()
    if (CALLS.has(method)) client.calls += 1
    const uri = params?.['uri']
    if (typeof uri === 'string' && method === 'resources/subscribe') client.subscriptions.set(uri, 1)
    if (typeof uri === 'string' && method === 'resources/unsubscribe') client.subscriptions.delete(uri)
    if (SUBSCRIBING.has(method)) this.#events.changed()
    else this.#events.active()
  }

  #leave(client: Client): void {
    this.#clients.delete(client)
    this.#events.changed()
  }
}

/** Passes everything on, and tells once when nothing more comes. */
class WatchedSink implements ReplySink {
  readonly #sink: ReplySink
  readonly #over: () => void
  #isOver = false
  readonly release?: (retryMs: number | undefined) => void

  constructor(sink: ReplySink, over: () => void) {
    this.#sink = sink
    this.#over = over
    if (sink.release !== undefined) this.release = (retryMs) => sink.release?.(retryMs)
  }

  get streaming(): boolean {
    return this.#sink.streaming ?? false
  }

  emit(bytes: Uint8Array): void {
    this.#sink.emit(bytes)
  }

  answer(message: EncodedMessage, status: number): void {
    this.#sink.answer(message, status)
    this.#end()
  }

  abandon(): void {
    this.#sink.abandon()
    this.#end()
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#over()
  }
}

/** As pages see it; nothing of one that has not said yet what it speaks. */
function shown(client: Client): readonly ConnectedClient[] {
  const { connection, info, address, sessionId, principal, subscriptions } = client
  const revision = connection?.revision() ?? client.revision
  if (revision === '') return []
  const { id, transport, own, since, lastRequestAt, calls } = client
  return [
    {
      id,
      name: text(info['name']) ?? '',
      transport,
      revision,
      own,
      since,
      lastRequestAt,
      calls,
      running: connection?.running() ?? client.running - client.listening,
      subscriptions: [...subscriptions.keys()],
      ...(text(info['title']) !== undefined && { title: text(info['title']) }),
      ...(text(info['version']) !== undefined && { version: text(info['version']) }),
      ...(address !== undefined && { address }),
      ...(sessionId !== undefined && { sessionId }),
      ...(principal !== undefined && { principal }),
    },
  ]
}

function name(client: Client, info: unknown): void {
  if (isJsonObject(info)) client.info = info
}

function claimed({ params }: JsonRpcRequest): { readonly info: JsonObject; readonly revision: string } {
  const meta = params?.['_meta']
  if (!isJsonObject(meta)) return { info: {}, revision: '' }
  const info = meta[MetaKey.clientInfo]
  return { info: isJsonObject(info) ? info : {}, revision: text(meta[MetaKey.protocolVersion]) ?? '' }
}

function listenedUris(params: JsonObject | undefined): readonly string[] {
  const filter = params?.['notifications']
  const uris = isJsonObject(filter) ? filter['resourceSubscriptions'] : undefined
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : []
}

function subscribe({ subscriptions }: Client, uri: string): void {
  subscriptions.set(uri, (subscriptions.get(uri) ?? 0) + 1)
}

function unsubscribe({ subscriptions }: Client, uri: string): void {
  const count = (subscriptions.get(uri) ?? 0) - 1
  if (count > 0) subscriptions.set(uri, count)
  else subscriptions.delete(uri)
}

function isRequest(value: unknown): value is JsonRpcRequest {
  return isJsonObject(value) && typeof value['method'] === 'string' && value['id'] !== undefined
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
