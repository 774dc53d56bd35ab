import type { Connection } from '../../client/connection.ts'
import { isJsonObject } from '../../protocol/json.ts'
import type { ResourceWatch } from '../contract/inspect.ts'

type Watched = {
  readonly uri: string
  /** Wakes each of those who watch it. */
  readonly watchers: Set<() => void>
  /** The connection on which it is subscribed. */
  on: Connection | undefined
  state: ResourceWatch | undefined
  turn: Promise<void>
}

/**
 * Subscriptions to the resources of one server (specification: Resources, subscriptions), in both eras: one for each
 * URI however many watch it, ended with the last of them, and made again on the next connection.
 */
export class ResourceWatches {
  readonly #watched = new Map<string, Watched>()
  #connection: Connection | undefined

  /** The connection to subscribe on from now on; undefined while there is none. */
  follow(connection: Connection | undefined): void {
    if (connection === this.#connection) return
    this.#connection = connection
    for (const watched of this.#watched.values()) this.#sync(watched)
  }

  /** Watches a resource and gives how that stands, each time it changes, until the signal aborts. */
  async *watch(uri: string, signal: AbortSignal | undefined): AsyncGenerator<ResourceWatch, void, void> {
    let news = Promise.withResolvers<void>()
    const wake = (): void => news.resolve()
    signal?.addEventListener('abort', wake, { once: true })
    const watched = this.#begin(uri, wake)
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

  #begin(uri: string, wake: () => void): Watched {
    const known = this.#watched.get(uri)
    const watched: Watched = known ?? {
      uri,
      watchers: new Set(),
      on: undefined,
      state: undefined,
      turn: Promise.resolve(),
    }
    this.#watched.set(uri, watched)
    watched.watchers.add(wake)
    this.#sync(watched)
    return watched
  }

  /** Brings the subscription in line with who watches and what is connected; one step after the other. */
  #sync(watched: Watched): void {
    watched.turn = watched.turn.then(() => this.#step(watched))
  }

  async #step(watched: Watched): Promise<void> {
    const { uri } = watched
    const connection = this.#connection
    if (isLeft(watched)) {
      const { on } = watched
      watched.on = undefined
      // A server that does not let go of it tells more than is wanted, which harms nobody.
      if (on !== undefined && on === connection) await on.unsubscribe(uri).catch(() => undefined)
      if (isLeft(watched)) this.#watched.delete(uri)
    } else if (connection === undefined) {
      watched.on = undefined
      tell(watched, { state: 'not-connected' })
    } else if (watched.on !== connection) {
      const state = await subscribe(connection, uri)
      watched.on = state.state === 'watching' ? connection : undefined
      // The step after this one tells of a connection that was lost meanwhile.
      if (this.#connection === connection) tell(watched, state)
    }
  }
}

async function subscribe(connection: Connection, uri: string): Promise<ResourceWatch> {
  const { resources } = connection.capabilities
  if (!isJsonObject(resources) || resources['subscribe'] !== true) return { state: 'not-offered' }
  try {
    await connection.subscribe(uri)
    return { state: 'watching' }
  } catch (error) {
    return { state: 'refused', reason: error instanceof Error ? error.message : String(error) }
  }
}

/** Asked anew after each wait: somebody may have come. */
function isLeft({ watchers }: Watched): boolean {
  return watchers.size === 0
}

function tell(watched: Watched, state: ResourceWatch): void {
  watched.state = state
  for (const wake of watched.watchers) wake()
}
