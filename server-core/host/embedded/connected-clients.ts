import type { JsonObject } from '../../protocol/json.ts'
import type { ClientEvent, ClientListener, ServerClient } from '../../server/server-client.ts'
import type { ConnectedClient } from '../contract/registry.ts'

/** Milliseconds for which a client is listed that has no connection and asks nothing. */
const QUIET_MS = 5 * 60_000
/** Requests that count as calls; the rest looks at the server or keeps the connection. */
const CALLS = new Set(['tools/call', 'resources/read', 'prompts/get', 'completion/complete'])

/** What is called when clients do something. */
export type ClientEvents = {
  /** A client came, went, subscribed or unsubscribed. */
  changed(): void
  /** A client sent another request, or one of its requests ended. */
  active(): void
}

/** A client as pages see it: a connection, or all requests that one client sends without a connection. */
type Entry = {
  readonly id: string
  readonly own: boolean
  readonly since: number
  readonly address: string | undefined
  /** Its connection, or its requests without an answer. */
  readonly open: Set<ServerClient>
  newest: ServerClient
  lastRequestAt: number
  calls: number
}

/** Who is connected to a server, from what the server reports of its clients. */
export class ConnectedClients {
  readonly #isOwn: (headers: Readonly<Record<string, string>>) => boolean
  readonly #events: ClientEvents
  readonly #entries = new Map<ServerClient | string, Entry>()
  #nextId = 1

  /**
   * @param isOwn recognises our own window by its headers
   * @param events called when `list` returns something else
   */
  constructor(isOwn: (headers: Readonly<Record<string, string>>) => boolean, events: ClientEvents) {
    this.#isOwn = isOwn
    this.#events = events
  }

  /** For `createServer`. */
  readonly onClient: ClientListener = (event) => {
    if (event.type === 'connected') this.#connected(event.client)
    else {
      const entry = this.#entries.get(keyOf(event.client))
      if (entry !== undefined) this.#update(entry, event)
    }
  }

  /** Those who are there, oldest first. */
  list(): readonly ConnectedClient[] {
    const now = Date.now()
    for (const [key, { open, lastRequestAt }] of this.#entries) {
      if (open.size === 0 && now - lastRequestAt >= QUIET_MS) this.#entries.delete(key)
    }
    return [...this.#entries.values()].flatMap((entry) => shown(entry))
  }

  /** How many clients are subscribed to a resource. */
  subscribersOf(uri: string): number {
    return [...this.#entries.values()].filter((entry) => subscriptionsOf(entry).includes(uri)).length
  }

  #connected(client: ServerClient): void {
    const key = keyOf(client)
    const known = this.#entries.get(key)
    if (known !== undefined) {
      known.open.add(client)
      known.newest = client
      return
    }
    const { remoteAddress, remotePort } = client.context.peer ?? {}
    const now = Date.now()
    this.#entries.set(key, {
      id: String(this.#nextId),
      own: this.#isOwn(client.context.headers),
      since: now,
      address: remoteAddress === undefined ? undefined : `${remoteAddress}:${remotePort ?? 0}`,
      open: new Set([client]),
      newest: client,
      lastRequestAt: now,
      calls: 0,
    })
    this.#nextId += 1
    this.#events.changed()
  }

  #update(entry: Entry, event: Exclude<ClientEvent, { type: 'connected' }>): void {
    const { client } = event
    switch (event.type) {
      case 'request':
        entry.lastRequestAt = Date.now()
        if (CALLS.has(event.method)) entry.calls += 1
        this.#events.active()
        break
      case 'settled':
        this.#events.active()
        break
      case 'identified':
      case 'subscriptions':
        this.#events.changed()
        break
      case 'gone':
        entry.open.delete(client)
        if (client.scope === 'request') this.#events.active()
        else {
          this.#entries.delete(client)
          this.#events.changed()
        }
    }
  }
}

/** A connection stands for itself; a request for whoever says the same of itself from the same place. */
function keyOf(client: ServerClient): ServerClient | string {
  if (client.scope === 'connection') return client
  const { caller, clientInfo, context } = client
  return JSON.stringify([caller, clientInfo, context.peer?.remoteAddress, context.headers['user-agent']])
}

/** As pages see it; nothing of one that has no revision yet. */
function shown(entry: Entry): readonly ConnectedClient[] {
  const { id, own, since, lastRequestAt, calls, address, newest, open } = entry
  const { revision, clientInfo = {}, transport, sessionId, context } = newest
  if (revision === undefined) return []
  const title = text(clientInfo, 'title')
  const version = text(clientInfo, 'version')
  const principal = context.principal?.subject
  return [
    {
      id,
      name: text(clientInfo, 'name') ?? '',
      transport,
      revision,
      own,
      since,
      lastRequestAt,
      calls,
      running: [...open].reduce((sum, { running }) => sum + running, 0),
      subscriptions: subscriptionsOf(entry),
      ...(title !== undefined && { title }),
      ...(version !== undefined && { version }),
      ...(address !== undefined && { address }),
      ...(sessionId !== undefined && { sessionId }),
      ...(principal !== undefined && { principal }),
    },
  ]
}

function subscriptionsOf({ open }: Entry): string[] {
  return [...new Set([...open].flatMap(({ subscriptions }) => subscriptions))]
}

function text(info: JsonObject, member: string): string | undefined {
  const value = info[member]
  return typeof value === 'string' && value !== '' ? value : undefined
}
