import { LIST_KINDS, type ListKind } from '../protocol/list-kind.ts'
import { SerialQueue } from '../protocol/serial-queue.ts'
import { Emitter } from '../protocol/emitter.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { JsonRpcNotification } from '../protocol/messages.ts'
import { Throttle } from './throttle.ts'
import { PeerError, RequestFailedError } from './errors.ts'
import type { Listening, ListenFilter, Listens } from './listen.ts'

const COALESCE_MS = 50
const FIRST_BACKOFF_MS = 1_000
const LONGEST_BACKOFF_MS = 30_000

export type SubscriptionOptions = {
  /** What the server declared. */
  readonly capabilities: () => JsonObject
  /** Only in revisions that ask by `subscriptions/listen`. */
  readonly listens: Listens | undefined
  readonly timeoutMs: number
  /** Sends `resources/subscribe` or `resources/unsubscribe`. */
  readonly send: (method: string, params: JsonObject) => Promise<unknown>
  /** Notices may have been missed: a list or a resource may have changed. Told before any listener is. */
  readonly missed: (what: { readonly lists: readonly ListKind[]; readonly uris: readonly string[] }) => void
}

/**
 * Change notices in both eras (server features: list changed; resources: subscriptions; 2026-07-28: subscriptions).
 * Legacy servers send list changes unasked and take one subscription per resource; from 2026-07-28 on one listen
 * carries all that is wanted, is replaced when that changes, and is opened again when it is lost. What may have been
 * missed meanwhile is reported as changed.
 */
export class Subscriptions {
  readonly #options: SubscriptionOptions
  readonly #listChanges = new Emitter<ListKind>()
  readonly #resourceUpdates = new Emitter<string>()
  readonly #uris = new Set<string>()
  readonly #stopped = new AbortController()
  readonly #lists = new Throttle<ListKind>(COALESCE_MS, (list) => this.#listChanges.emit(list))
  readonly #resources = new Throttle<string>(COALESCE_MS, (uri) => this.#resourceUpdates.emit(uri))
  #current: Listening | undefined
  readonly #turns = new SerialQueue()

  constructor(options: SubscriptionOptions) {
    this.#options = options
  }

  /** Calls back, at most twenty times a second each, when a list changed. Returns an unsubscribe function. */
  onListChanged(listener: (list: ListKind) => void): () => void {
    const leave = this.#listChanges.listen(listener)
    // A server that cannot listen leaves its lists to be fetched again by hand; nothing else fails.
    if (this.#listChanges.size === 1) this.#sync().catch(() => undefined)
    return () => {
      leave()
      if (this.#listChanges.size === 0) this.#sync().catch(() => undefined)
    }
  }

  /** Calls back when a resource that was subscribed to changed. Returns an unsubscribe function. */
  onResourceUpdated(listener: (uri: string) => void): () => void {
    return this.#resourceUpdates.listen(listener)
  }

  /** Subscribes to changes of a resource. Throws as a request does. */
  async subscribe(uri: string): Promise<void> {
    if (this.#options.listens === undefined) {
      await this.#options.send('resources/subscribe', { uri })
      this.#uris.add(uri)
      return
    }
    this.#uris.add(uri)
    try {
      const listening = await this.#sync()
      const accepted = listening?.accepted['resourceSubscriptions']
      if (Array.isArray(accepted) && accepted.includes(uri)) return
      throw new RequestFailedError('invalid-answer', `the server does not tell when ${uri} changes`)
    } catch (error) {
      this.#uris.delete(uri)
      throw error
    }
  }

  async unsubscribe(uri: string): Promise<void> {
    this.#uris.delete(uri)
    if (this.#options.listens === undefined) await this.#options.send('resources/unsubscribe', { uri })
    else await this.#sync()
  }

  notification({ method, params }: JsonRpcNotification): void {
    this.#options.listens?.notification({
      jsonrpc: '2.0',
      method,
      ...(params === undefined ? {} : { params }),
    })
    const list = LIST_KINDS.find((name) => method === `notifications/${name}/list_changed`)
    if (list !== undefined) this.#lists.push(list)
    const uri = params?.['uri']
    if (method === 'notifications/resources/updated' && typeof uri === 'string') this.#resources.push(uri)
  }

  /** A session was lost and began again: asks again for what was subscribed, and tells all as changed. */
  async restore(): Promise<{ restored: readonly string[]; lost: readonly string[] }> {
    const restored: string[] = []
    const lost: string[] = []
    for (const uri of [...this.#uris]) {
      try {
        await this.#options.send('resources/subscribe', { uri })
        restored.push(`subscription to ${uri}`)
      } catch {
        this.#uris.delete(uri)
        lost.push(`subscription to ${uri}`)
      }
    }
    this.#missed()
    return { restored, lost }
  }

  stop(): void {
    this.#stopped.abort()
    this.#current?.close()
    this.#lists.stop()
    this.#resources.stop()
  }

  /** Makes the open listen what is wanted now; one change after the other. */
  #sync(): Promise<Listening | undefined> {
    return this.#turns.run(() => this.#replace())
  }

  async #replace(): Promise<Listening | undefined> {
    const { listens, timeoutMs } = this.#options
    if (listens === undefined || this.#stopped.signal.aborted) return undefined
    const old = this.#current
    const filter = this.#filter()
    const next = Object.keys(filter).length === 0 ? undefined : await listens.open(filter, timeoutMs)
    this.#current = next
    old?.close()
    void next?.over.then((how) => {
      if (this.#current !== next) return
      this.#current = undefined
      const acceptedNothing = Object.keys(next.accepted).length === 0
      if (how !== 'closed' && !acceptedNothing) void this.#listenAgain()
    })
    return next
  }

  async #listenAgain(): Promise<void> {
    const { signal } = this.#stopped
    for (
      let backoff = FIRST_BACKOFF_MS;
      !signal.aborted;
      backoff = Math.min(backoff * 2, LONGEST_BACKOFF_MS)
    ) {
      await wait(backoff, undefined, { signal }).catch(() => undefined)
      try {
        await this.#sync()
        this.#missed()
        return
      } catch (error) {
        if (error instanceof PeerError || (error instanceof RequestFailedError && error.code === 'closed'))
          return
      }
    }
  }

  #filter(): ListenFilter {
    const wanted =
      this.#listChanges.size > 0 ? LIST_KINDS.filter((name) => this.#notifiesOfChanges(name)) : []
    return {
      ...Object.fromEntries(wanted.map((name) => [`${name}ListChanged`, true])),
      ...(this.#uris.size === 0 ? {} : { resourceSubscriptions: [...this.#uris] }),
    }
  }

  #notifiesOfChanges(name: ListKind): boolean {
    const capability = this.#options.capabilities()[name]
    return isJsonObject(capability) && capability['listChanged'] === true
  }

  #missed(): void {
    const lists = LIST_KINDS.filter((name) => isJsonObject(this.#options.capabilities()[name]))
    const uris = [...this.#uris]
    this.#options.missed({ lists, uris })
    for (const name of lists) this.#lists.push(name)
    for (const uri of uris) this.#resources.push(uri)
  }
}
