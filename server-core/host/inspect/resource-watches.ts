import type { Connection } from '../../client/connection.ts'
import { isJsonObject } from '../../protocol/json.ts'
import type { ResourceWatch } from '../contract/inspect.ts'
import type { Subscription } from '../contract/inspection.ts'

/** Resources that a server told of unasked; a server that tells of more is not listened to so closely. */
const MOST_UNASKED = 100

type Watched = {
  readonly uri: string
  /** Wakes each of those who watch it. */
  readonly watchers: Set<() => void>
  /** What the user wants; without a wish it is subscribed while somebody watches it. */
  wish: 'kept' | 'dropped' | undefined
  /** The connection on which it is subscribed. */
  on: Connection | undefined
  state: ResourceWatch | undefined
  /** Why the server did not let go of it the last time it was asked to. */
  heldBack: string | undefined
  turn: Promise<void>
}

type Updates = { readonly count: number; readonly at: number }

/**
 * Subscriptions to the resources of one server (specification: Resources, subscriptions), in both eras: one for each
 * URI however many watch it, ended with the last of them unless the user keeps it, and made again on the next
 * connection. Counts what the server tells.
 */
export class ResourceWatches {
  readonly #watched = new Map<string, Watched>()
  readonly #updates = new Map<string, Updates>()
  readonly #changed: () => void
  #connection: Connection | undefined

  /** @param changed called whenever `list` gives something else */
  constructor(changed: () => void = () => undefined) {
    this.#changed = changed
  }

  /** The connection to subscribe on from now on; undefined while there is none. */
  follow(connection: Connection | undefined): void {
    if (connection === this.#connection) return
    this.#connection = connection
    for (const watched of this.#watched.values()) this.#sync(watched)
  }

  /** Every resource that is subscribed to or shall be, and those that the server told of unasked. */
  list(): Subscription[] {
    const known = Array.from(this.#watched.values(), (watched): Subscription => ({
      uri: watched.uri,
      state: shownState(watched),
      isKept: watched.wish === 'kept',
      ...this.#updatesOf(watched.uri),
    }))
    const unasked = [...this.#updates.keys()].filter((uri) => !this.#watched.has(uri))
    return [
      ...known,
      ...unasked.map((uri): Subscription => {
        const under = known.find((each) => uri.startsWith(each.uri))?.uri
        return {
          uri,
          state: { type: 'unasked', ...(under !== undefined && { under }) },
          isKept: false,
          ...this.#updatesOf(uri),
        }
      }),
    ]
  }

  /** The server told that a resource changed. */
  updated(uri: string): void {
    const before = this.#updates.get(uri)
    if (before === undefined && !this.#watched.has(uri) && this.#updates.size >= MOST_UNASKED) return
    this.#updates.set(uri, { count: (before?.count ?? 0) + 1, at: Date.now() })
    this.#changed()
  }

  /** Subscribes until `drop`, and gives how that stands. */
  async keep(uri: string): Promise<Subscription> {
    const watched = this.#of(uri)
    watched.wish = 'kept'
    this.#sync(watched)
    await watched.turn
    return { uri, state: shownState(watched), isKept: true, ...this.#updatesOf(uri) }
  }

  /** Ends a subscription. Gives why the server did not let go of it, if it did not. */
  async drop(uri: string): Promise<string | undefined> {
    const watched = this.#watched.get(uri)
    if (watched === undefined) {
      if (this.#updates.delete(uri)) this.#changed()
      return undefined
    }
    watched.wish = 'dropped'
    watched.heldBack = undefined
    this.#sync(watched)
    await watched.turn
    return watched.heldBack
  }

  /** Watches a resource and gives how that stands, each time it changes, until the signal aborts. */
  async *watch(uri: string, signal: AbortSignal | undefined): AsyncGenerator<ResourceWatch, void, void> {
    let news = Promise.withResolvers<void>()
    const wake = (): void => news.resolve()
    signal?.addEventListener('abort', wake, { once: true })
    const watched = this.#of(uri)
    watched.watchers.add(wake)
    this.#sync(watched)
    try {
      for (let told: ResourceWatch | undefined; signal?.aborted !== true;) {
        const { state } = watched
        if (state === told || state === undefined) {
          await news.promise
          news = Promise.withResolvers()
        } else {
          told = state
          yield state
        }
      }
    } finally {
      signal?.removeEventListener('abort', wake)
      watched.watchers.delete(wake)
      this.#sync(watched)
    }
  }

  #of(uri: string): Watched {
    const known = this.#watched.get(uri)
    if (known !== undefined) return known
    const watched: Watched = {
      uri,
      watchers: new Set(),
      wish: undefined,
      on: undefined,
      state: undefined,
      heldBack: undefined,
      turn: Promise.resolve(),
    }
    this.#watched.set(uri, watched)
    this.#changed()
    return watched
  }

  #updatesOf(uri: string): Pick<Subscription, 'updates' | 'updatedAt'> {
    const updates = this.#updates.get(uri)
    return updates === undefined ? { updates: 0 } : { updates: updates.count, updatedAt: updates.at }
  }

  /** Brings the subscription in line with who wants it and what is connected; one step after the other. */
  #sync(watched: Watched): void {
    watched.turn = watched.turn.then(() => this.#step(watched))
  }

  async #step(watched: Watched): Promise<void> {
    const { uri } = watched
    const connection = this.#connection
    if (!isWanted(watched)) {
      const { on } = watched
      watched.on = undefined
      if (on !== undefined && on === connection) {
        // A server that does not let go of it tells more than is wanted, which harms nobody.
        await on.unsubscribe(uri).catch((error: unknown) => (watched.heldBack = reasonOf(error)))
      }
      if (isWanted(watched)) return
      if (watched.watchers.size > 0) this.#tell(watched, { state: 'unsubscribed' })
      else {
        this.#watched.delete(uri)
        this.#updates.delete(uri)
        this.#changed()
      }
    } else if (connection === undefined) {
      watched.on = undefined
      this.#tell(watched, { state: 'not-connected' })
    } else if (watched.on !== connection) {
      const state = await subscribe(connection, uri)
      watched.on = state.state === 'watching' ? connection : undefined
      // The step after this one tells of a connection that was lost meanwhile.
      if (this.#connection === connection) this.#tell(watched, state)
    }
  }

  #tell(watched: Watched, state: ResourceWatch): void {
    watched.state = state
    for (const wake of watched.watchers) wake()
    this.#changed()
  }
}

async function subscribe(connection: Connection, uri: string): Promise<ResourceWatch> {
  const { resources } = connection.capabilities
  if (!isJsonObject(resources) || resources['subscribe'] !== true) return { state: 'not-offered' }
  try {
    await connection.subscribe(uri)
    return { state: 'watching' }
  } catch (error) {
    return { state: 'refused', reason: reasonOf(error) }
  }
}

function shownState({ state }: Watched): Subscription['state'] {
  if (state === undefined) return { type: 'asking' }
  if (state.state === 'watching') return { type: 'subscribed' }
  if (state.state === 'refused') return { type: 'refused', reason: state.reason }
  return { type: state.state }
}

/** Asked anew after each wait: somebody may have come. */
function isWanted({ wish, watchers }: Watched): boolean {
  return wish === 'kept' || (wish === undefined && watchers.size > 0)
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
