import { SerialQueue } from '../../protocol/serial-queue.ts'
import type { Connection } from '../../client/connection.ts'
import { isJsonObject } from '../../protocol/json.ts'
import type { Subscription } from '../contract/inspection.ts'
import { messageOf } from '../../protocol/error-message.ts'

/** Resources that a server sends updates of unasked; updates of more are not counted. */
const MOST_UNASKED = 100

type Subscribed = {
  readonly uri: string
  /** False once the user unsubscribed, until `resources/unsubscribe` was sent. */
  isWanted: boolean
  /** The connection on which it is subscribed. */
  on: Connection | undefined
  state: Subscription['state']
  /** Why the server refused the last `resources/unsubscribe`. */
  refusal: string | undefined
  readonly turns: SerialQueue
}

type Updates = { readonly count: number; readonly at: number }

/**
 * Subscriptions to the resources of one server (specification: Resources, Subscriptions), in both eras. Only the user
 * begins and ends them. Each is made again on the next connection, and outlives every page and tab. Counts the updates
 * that the server sends.
 */
export class ResourceSubscriptions {
  readonly #subscribed = new Map<string, Subscribed>()
  readonly #updates = new Map<string, Updates>()
  readonly #changed: () => void
  #connection: Connection | undefined

  /** @param changed called whenever `list` returns something else */
  constructor(changed: () => void = () => undefined) {
    this.#changed = changed
  }

  /** The connection to subscribe on from now on; undefined while disconnected. */
  follow(connection: Connection | undefined): void {
    if (connection === this.#connection) return
    this.#connection = connection
    for (const subscribed of this.#subscribed.values()) this.#sync(subscribed)
  }

  /** Every resource that is subscribed or will be, and those that the server sent updates of unasked. */
  list(): Subscription[] {
    const known = Array.from(this.#subscribed.values(), ({ uri, state }): Subscription => ({
      uri,
      state,
      ...this.#updatesOf(uri),
    }))
    const unasked = [...this.#updates.keys()].filter((uri) => !this.#subscribed.has(uri))
    return [
      ...known,
      ...unasked.map((uri): Subscription => {
        const under = known.find((each) => uri.startsWith(each.uri))?.uri
        return {
          uri,
          state: { type: 'unasked', ...(under !== undefined && { under }) },
          ...this.#updatesOf(uri),
        }
      }),
    ]
  }

  /** Counts a `notifications/resources/updated`. */
  updated(uri: string): void {
    const before = this.#updates.get(uri)
    if (before === undefined && !this.#subscribed.has(uri) && this.#updates.size >= MOST_UNASKED) return
    this.#updates.set(uri, { count: (before?.count ?? 0) + 1, at: Date.now() })
    this.#changed()
  }

  /** Subscribes until `unsubscribe`, and returns the result. */
  async subscribe(uri: string): Promise<Subscription> {
    const subscribed = this.#of(uri)
    subscribed.isWanted = true
    this.#sync(subscribed)
    await subscribed.turns.idle()
    return { uri, state: subscribed.state, ...this.#updatesOf(uri) }
  }

  /** Ends a subscription. Returns the server's reason if it refused to end it. */
  async unsubscribe(uri: string): Promise<string | undefined> {
    const subscribed = this.#subscribed.get(uri)
    if (subscribed === undefined) {
      if (this.#updates.delete(uri)) this.#changed()
      return undefined
    }
    subscribed.isWanted = false
    subscribed.refusal = undefined
    this.#sync(subscribed)
    await subscribed.turns.idle()
    return subscribed.refusal
  }

  #of(uri: string): Subscribed {
    const known = this.#subscribed.get(uri)
    if (known !== undefined) return known
    const subscribed: Subscribed = {
      uri,
      isWanted: true,
      on: undefined,
      state: { type: 'asking' },
      refusal: undefined,
      turns: new SerialQueue(),
    }
    this.#subscribed.set(uri, subscribed)
    this.#changed()
    return subscribed
  }

  #updatesOf(uri: string): Pick<Subscription, 'updates' | 'updatedAt'> {
    const updates = this.#updates.get(uri)
    return updates === undefined ? { updates: 0 } : { updates: updates.count, updatedAt: updates.at }
  }

  /** Brings the subscription in line with what the user wants and what is connected, one step after the other. */
  #sync(subscribed: Subscribed): void {
    void subscribed.turns.run(() => this.#step(subscribed))
  }

  async #step(subscribed: Subscribed): Promise<void> {
    const { uri } = subscribed
    const connection = this.#connection
    if (!subscribed.isWanted) {
      const { on } = subscribed
      subscribed.on = undefined
      if (on !== undefined && on === connection) {
        // A server that refuses goes on sending updates, which harm nobody.
        await on.unsubscribe(uri).catch((error: unknown) => (subscribed.refusal = reasonOf(error)))
      }
      if (isWantedNow(subscribed)) return
      this.#subscribed.delete(uri)
      this.#updates.delete(uri)
      this.#changed()
    } else if (connection === undefined) {
      subscribed.on = undefined
      this.#became(subscribed, { type: 'not-connected' })
    } else if (subscribed.on !== connection) {
      const state = await subscribe(connection, uri)
      subscribed.on = state.type === 'subscribed' ? connection : undefined
      // The next step publishes that this connection was lost meanwhile.
      if (this.#connection === connection) this.#became(subscribed, state)
    }
  }

  #became(subscribed: Subscribed, state: Subscription['state']): void {
    subscribed.state = state
    this.#changed()
  }
}

async function subscribe(connection: Connection, uri: string): Promise<Subscription['state']> {
  const { resources } = connection.capabilities
  if (!isJsonObject(resources) || resources['subscribe'] !== true) return { type: 'not-offered' }
  try {
    await connection.subscribe(uri)
    return { type: 'subscribed' }
  } catch (error) {
    return { type: 'refused', reason: reasonOf(error) }
  }
}

/** Read again after each wait: the user may have subscribed meanwhile. */
function isWantedNow({ isWanted }: Subscribed): boolean {
  return isWanted
}

function reasonOf(error: unknown): string {
  return messageOf(error)
}
