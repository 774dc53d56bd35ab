import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'
import type { RevisionRow } from '../../protocol/revisions.ts'
import type { RegistryChange } from '../../registry/entries.ts'
import type { Announcement } from '../changes.ts'
import { tellsChanges } from '../capabilities.ts'
import type { ServerCore } from '../core.ts'
import { encodeNotification } from '../encode.ts'
import { seasonResult } from '../season.ts'
import type { ModernExchange } from './exchange.ts'

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'
const LIST_FILTERS = [
  ['tools', 'toolsListChanged'],
  ['prompts', 'promptsListChanged'],
  ['resources', 'resourcesListChanged'],
] as const

/** What a subscription gets: kinds of lists, and resources by URI. */
type Accepted = { readonly lists: ReadonlySet<string>; readonly uris: ReadonlySet<string> }

/** The open `subscriptions/listen` of one server (2026-07-28, Subscriptions). */
export class Subscriptions {
  readonly #core: ServerCore
  readonly #open = new Map<ModernExchange, { readonly accepted: Accepted; readonly row: RevisionRow }>()
  readonly #stopListening: () => void

  constructor(core: ServerCore) {
    this.#core = core
    this.#stopListening = core.changes.listen((announcement) => {
      this.#tell(announcement)
    })
  }

  /**
   * Acknowledges the subset that is supported, then keeps the exchange open; an empty subset is finished at once.
   * Throws a `ProtocolError` for a filter that is none, or when too many are open.
   */
  serve(exchange: ModernExchange, row: RevisionRow): void {
    const filter = exchange.message.params?.['notifications']
    if (!isJsonObject(filter)) {
      throw new ProtocolError(
        ErrorCode.invalidParams,
        'subscriptions/listen needs an object in params.notifications',
      )
    }
    const { listens } = this.#core.limits
    if (this.#open.size >= listens) {
      throw new ProtocolError(
        ErrorCode.internalError,
        `${listens} subscriptions are open already (limit listens); close one first`,
      )
    }
    const capabilities = this.#core.capabilities()
    const lists = LIST_FILTERS.filter(
      ([kind, member]) => filter[member] === true && tellsChanges(capabilities, kind),
    )
    const asked = filter['resourceSubscriptions']
    const subscribes = capabilities['resources'] !== undefined && Array.isArray(asked)
    const uris = subscribes ? asked.filter((uri) => typeof uri === 'string') : []
    exchange.send(
      encodeNotification(ACKNOWLEDGED, {
        notifications: {
          ...Object.fromEntries(lists.map(([, member]) => [member, true])),
          ...(uris.length === 0 ? {} : { resourceSubscriptions: uris }),
        },
        _meta: tag(exchange),
      }),
    )
    if (lists.length === 0 && uris.length === 0) {
      this.#finish(exchange, row)
      return
    }
    const accepted = { lists: new Set(lists.map(([kind]) => kind)), uris: new Set(uris) }
    this.#open.set(exchange, { accepted, row })
    exchange.onCancel(() => this.#open.delete(exchange))
    exchange.onFinish(() => {
      this.#finish(exchange, row)
    })
  }

  close(): void {
    for (const [exchange, { row }] of [...this.#open]) this.#finish(exchange, row)
    this.#stopListening()
  }

  #tell({ change, method }: Announcement): void {
    const params = change.type === 'updated' ? { uri: change.uri } : {}
    for (const [exchange, { accepted }] of this.#open) {
      if (concerns(accepted, change)) {
        exchange.send(encodeNotification(method, { ...params, _meta: tag(exchange) }))
      }
    }
  }

  #finish(exchange: ModernExchange, row: RevisionRow): void {
    this.#open.delete(exchange)
    const result = seasonResult(this.#core.info, row, { _meta: tag(exchange) }, false)
    exchange.answer({ type: 'result', result })
  }
}

function concerns({ lists, uris }: Accepted, change: RegistryChange): boolean {
  return change.type === 'list' ? lists.has(change.kind) : uris.has(change.uri)
}

/** The id keeps its type, so that a number stays a number. */
function tag(exchange: ModernExchange): JsonObject {
  return { [MetaKey.subscriptionId]: exchange.message.id }
}
