import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Frame } from '../../ports/tap.ts'

/** Requests that are remembered until their answer comes. */
const MOST_OPEN = 10_000
/** Bytes of these requests. */
const MOST_OPEN_BYTES = 64 * 1024 * 1024
/** Resources whose subscriptions are remembered. */
const MOST_SUBSCRIPTIONS = 10_000
/** Items of a list that are remembered for comparison. */
const MOST_ITEMS = 100_000

/** The lists of a server, by the method that asks for them: the member of the result, and what identifies an item. */
export const LISTS = {
  'tools/list': { member: 'tools', key: 'name', changed: 'notifications/tools/list_changed' },
  'prompts/list': { member: 'prompts', key: 'name', changed: 'notifications/prompts/list_changed' },
  'resources/list': { member: 'resources', key: 'uri', changed: 'notifications/resources/list_changed' },
  'resources/templates/list': {
    member: 'resourceTemplates',
    key: 'uriTemplate',
    changed: 'notifications/resources/list_changed',
  },
} as const
export type ListMethod = keyof typeof LISTS

/** A request without an answer. */
export type OpenRequest = {
  readonly bytes: Uint8Array
  readonly message: JsonObject
  readonly method: string
}

/** A list as the client has it. `request` is what asked for its first page. */
export type SeenList = { readonly request: JsonObject; readonly items: unknown[] }

/** What a client and a server have agreed on, as far as another server in its place has to know it. */
export class SessionMemory {
  #initialize: OpenRequest | undefined
  #initializeResult: JsonObject | undefined
  #initialized: Uint8Array | undefined
  #level: JsonObject | undefined
  readonly #subscriptions = new Map<string, JsonObject>()
  readonly #lists = new Map<ListMethod, SeenList>()
  readonly #toServer = new Map<string, OpenRequest>()
  readonly #toClient = new Map<string, OpenRequest>()
  #openBytes = 0
  #onIdle: (() => void) | undefined

  /** What the client introduced itself with, and what was answered; undefined without a session. */
  get initialize(): { readonly request: OpenRequest; readonly result: JsonObject } | undefined {
    if (this.#initialize === undefined || this.#initializeResult === undefined) return undefined
    return { request: this.#initialize, result: this.#initializeResult }
  }

  /** The notification that ended the handshake. */
  get initialized(): Uint8Array | undefined {
    return this.#initialized
  }

  /** Requests that changed the session and have to be sent to another server: the log level, and subscriptions. */
  get settings(): readonly JsonObject[] {
    return [...(this.#level === undefined ? [] : [this.#level]), ...this.#subscriptions.values()]
  }

  get lists(): ReadonlyMap<ListMethod, SeenList> {
    return this.#lists
  }

  /** Requests of the client without an answer. Streams of notifications are not among them. */
  get openToServer(): readonly OpenRequest[] {
    return Array.from(this.#toServer.values()).filter(({ method }) => method !== 'subscriptions/listen')
  }

  /** Streams of notifications that the client has open. */
  get listening(): readonly OpenRequest[] {
    return Array.from(this.#toServer.values()).filter(({ method }) => method === 'subscriptions/listen')
  }

  /** Requests of the server without an answer. */
  get openToClient(): readonly OpenRequest[] {
    return Array.from(this.#toClient.values())
  }

  /** Resolves when no request of the client is open, or after so many milliseconds. */
  async idle(ms: number): Promise<void> {
    if (this.openToServer.length === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    this.#onIdle = resolve
    await promise
    clearTimeout(timer)
    this.#onIdle = undefined
  }

  /** Forgets the requests of the former server. */
  forgetServer(): void {
    for (const key of [...this.#toClient.keys()]) this.#remove(this.#toClient, key)
  }

  /** Sees a frame of the connection. */
  observe(frame: Frame): void {
    if (frame.kind !== 'message') return
    const messages: readonly unknown[] = Array.isArray(frame.parsed) ? frame.parsed : [frame.parsed]
    for (const message of messages)
      if (isJsonObject(message)) this.#message(frame.direction === 'sent', message, frame.bytes)
  }

  /** What another server answered to the client's introduction. */
  introduced(result: JsonObject): void {
    this.#initializeResult = result
  }

  #message(isSent: boolean, message: JsonObject, bytes: Uint8Array): void {
    const { method, id } = message
    if (typeof method === 'string') {
      if (id === undefined) this.#notification(isSent, method, message, bytes)
      else this.#add(isSent ? this.#toServer : this.#toClient, keyOf(id), { bytes, message, method })
      return
    }
    if (id === undefined) return
    const open = isSent ? this.#toClient : this.#toServer
    const asked = open.get(keyOf(id))
    if (asked === undefined) return
    this.#remove(open, keyOf(id))
    if (!isSent && isJsonObject(message['result'])) this.#answered(asked, message['result'])
    if (!isSent && this.#onIdle !== undefined && this.openToServer.length === 0) this.#onIdle()
  }

  #notification(isSent: boolean, method: string, { params }: JsonObject, bytes: Uint8Array): void {
    if (isSent && method === 'notifications/initialized') this.#initialized = bytes
    if (method !== 'notifications/cancelled' || !isJsonObject(params)) return
    const { requestId } = params
    if (requestId !== undefined) this.#remove(isSent ? this.#toServer : this.#toClient, keyOf(requestId))
  }

  #answered(asked: OpenRequest, result: JsonObject): void {
    const { method, message } = asked
    const params = isJsonObject(message['params']) ? message['params'] : {}
    if (method === 'initialize') {
      this.#initialize = asked
      this.#initializeResult = result
    } else if (method === 'logging/setLevel') this.#level = message
    else if (method === 'resources/subscribe') {
      if (this.#subscriptions.size < MOST_SUBSCRIPTIONS)
        this.#subscriptions.set(String(params['uri']), message)
    } else if (method === 'resources/unsubscribe') this.#subscriptions.delete(String(params['uri']))
    else if (isListMethod(method)) {
      const listed = result[LISTS[method].member]
      if (!Array.isArray(listed)) return
      const items: readonly unknown[] = listed
      const seen = this.#lists.get(method)
      if (params['cursor'] === undefined || seen === undefined)
        this.#lists.set(method, { request: message, items: items.slice(0, MOST_ITEMS) })
      else if (seen.items.length < MOST_ITEMS) seen.items.push(...items)
    }
  }

  #add(open: Map<string, OpenRequest>, key: string, request: OpenRequest): void {
    this.#remove(open, key)
    open.set(key, request)
    this.#openBytes += request.bytes.byteLength
    while (open.size > MOST_OPEN || (this.#openBytes > MOST_OPEN_BYTES && open.size > 1)) {
      const [oldest] = open.keys()
      if (oldest === undefined) return
      this.#remove(open, oldest)
    }
  }

  #remove(open: Map<string, OpenRequest>, key: string): void {
    this.#openBytes -= open.get(key)?.bytes.byteLength ?? 0
    open.delete(key)
  }
}

function isListMethod(method: string): method is ListMethod {
  return Object.hasOwn(LISTS, method)
}

function keyOf(id: unknown): string {
  return `${typeof id} ${String(id)}`
}
