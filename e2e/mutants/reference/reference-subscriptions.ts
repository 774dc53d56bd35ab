import type { Connection } from '../../../server-core/client/connect.ts'
import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import { MetaKey } from '../../../server-core/protocol/meta-keys.ts'

type Subscription = { readonly filter: JsonObject; readonly reconnect: () => Promise<Connection> }

/** The subscriptions of the reference client: which notice belongs to which, and their return after a crash. */
export class ReferenceSubscriptions {
  readonly #open: Subscription[] = []
  /** By subscription id; a notice may come as soon as the acknowledgement. */
  readonly #notices = new Map<unknown, JsonObject[]>()
  #isStopped = false

  /** Opens one. Its notices come into the list of the value. */
  async open(
    connection: Connection,
    filter: JsonObject,
    reconnect: () => Promise<Connection>,
  ): Promise<{ readonly notices: readonly JsonObject[] }> {
    const { id } = await connection.listen(filter)
    this.#open.push({ filter, reconnect })
    return { notices: this.#of(id) }
  }

  /** Adds a notification to the subscription that it names. */
  notice(message: JsonObject): void {
    const { params } = message
    const meta = isJsonObject(params) && isJsonObject(params['_meta']) ? params['_meta'] : {}
    this.#of(meta[MetaKey.subscriptionId]).push(message)
  }

  /** Connects and opens every subscription again after the server went away. */
  async restore(): Promise<void> {
    const [first] = this.#open
    if (this.#isStopped || first === undefined) return
    try {
      const connection = await first.reconnect()
      for (const { filter } of this.#open) await connection.listen(filter)
    } catch {
      // Whoever examines the client sees that it did not come back.
    }
  }

  /** Forgets them: the client closes by itself. */
  stop(): void {
    this.#isStopped = true
  }

  #of(id: unknown): JsonObject[] {
    const known = this.#notices.get(id)
    if (known !== undefined) return known
    const notices: JsonObject[] = []
    this.#notices.set(id, notices)
    return notices
  }
}
