import type { TransportKind } from '../protocol/transport-kind.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { Revision } from '../protocol/revisions.ts'
import type { RequestContext } from '../ports/server-port.ts'

/** A client of a server. Its members change while it is there. */
export interface ServerClient {
  readonly transport: TransportKind
  /** `request`: a request over HTTP without a session; only its `clientInfo` and its context say who sent it. */
  readonly scope: 'connection' | 'request'
  /** Names the caller the same on every connection. */
  readonly caller: string
  /** What it brought when it connected. */
  readonly context: RequestContext
  /** The HTTP session's id. */
  readonly sessionId: string | undefined
  /** The agreed revision, or that of the newest request; undefined until there is one. */
  readonly revision: Revision | undefined
  /** What it calls itself: `Implementation`. */
  readonly clientInfo: JsonObject | undefined
  /** Its requests without an answer, except subscriptions. */
  readonly running: number
  /** The URIs of resources that it is subscribed to. */
  readonly subscriptions: readonly string[]
}

/** What a client of a server did. */
export type ClientEvent =
  /** It is there: it opened a link, agreed on a revision, or sent a request of its own. */
  | { readonly type: 'connected'; readonly client: ServerClient }
  /** Another revision, or its first `clientInfo`, is known. */
  | { readonly type: 'identified'; readonly client: ServerClient }
  | { readonly type: 'request'; readonly client: ServerClient; readonly method: string }
  /** A request was answered or cancelled. */
  | { readonly type: 'settled'; readonly client: ServerClient }
  /** It subscribed or unsubscribed. */
  | { readonly type: 'subscriptions'; readonly client: ServerClient }
  | { readonly type: 'gone'; readonly client: ServerClient }

/** Receives what clients do. It must not throw. */
export type ClientListener = (event: ClientEvent) => void

type ReportedClientOptions = Pick<ServerClient, 'transport' | 'scope' | 'caller' | 'context'> & {
  readonly sessionId?: string | undefined
  readonly revision?: Revision
  readonly clientInfo?: JsonObject | undefined
  readonly running: () => number
}

/** A client that is reported to a listener from its start to its end. */
export class ReportedClient implements ServerClient {
  readonly transport: TransportKind
  readonly scope: 'connection' | 'request'
  readonly caller: string
  readonly context: RequestContext
  readonly sessionId: string | undefined
  readonly #listener: ClientListener
  readonly #running: () => number
  /** How many times each URI is subscribed to. */
  readonly #subscriptions = new Map<string, number>()
  #revision: Revision | undefined
  #clientInfo: JsonObject | undefined
  #isGone = false

  constructor(listener: ClientListener, options: ReportedClientOptions) {
    this.#listener = listener
    this.transport = options.transport
    this.scope = options.scope
    this.caller = options.caller
    this.context = options.context
    this.sessionId = options.sessionId
    this.#revision = options.revision
    this.#clientInfo = options.clientInfo
    this.#running = options.running
    listener({ type: 'connected', client: this })
  }

  get revision(): Revision | undefined {
    return this.#revision
  }

  get clientInfo(): JsonObject | undefined {
    return this.#clientInfo
  }

  get running(): number {
    return this.#isGone ? 0 : this.#running()
  }

  get subscriptions(): readonly string[] {
    return [...this.#subscriptions.keys()]
  }

  identify(revision: Revision, clientInfo: JsonObject | undefined): void {
    const isNew = this.#revision !== revision || (this.#clientInfo === undefined && clientInfo !== undefined)
    this.#revision = revision
    this.#clientInfo = clientInfo ?? this.#clientInfo
    if (isNew) this.#listener({ type: 'identified', client: this })
  }

  request(method: string): void {
    this.#listener({ type: 'request', client: this, method })
  }

  settle(): void {
    if (this.#isGone) return
    this.#listener({ type: 'settled', client: this })
    if (this.scope === 'request') this.end()
  }

  subscribe(uris: readonly string[]): void {
    if (uris.length === 0) return
    for (const uri of uris) this.#subscriptions.set(uri, (this.#subscriptions.get(uri) ?? 0) + 1)
    this.#listener({ type: 'subscriptions', client: this })
  }

  unsubscribe(uris: readonly string[]): void {
    const left = uris.filter((uri) => this.#subscriptions.has(uri))
    for (const uri of left) {
      const count = (this.#subscriptions.get(uri) ?? 0) - 1
      if (count > 0) this.#subscriptions.set(uri, count)
      else this.#subscriptions.delete(uri)
    }
    if (left.length > 0) this.#listener({ type: 'subscriptions', client: this })
  }

  end(): void {
    if (this.#isGone) return
    this.#isGone = true
    this.#subscriptions.clear()
    this.#listener({ type: 'gone', client: this })
  }
}
