import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'
import type { RevisionRow } from '../../protocol/revisions.ts'
import type { Upstream } from '../../registry/upstream.ts'
import type { RegistryChange } from '../../registry/entries.ts'
import type { Announcement } from '../changes.ts'
import { announcesChanges, announcesUpdates } from '../capabilities.ts'
import type { ServerCore } from '../core.ts'
import { encodeNotification, idNotificationEncoder } from '../encode.ts'
import type { ExtensionSubscription } from '../extensions/extension.ts'
import { declares, missingExtension, servedBy } from '../extensions/extensions.ts'
import type { RequestFacts, ServedRequest } from '../extensions/served-request.ts'
import { InTurns } from '../in-turns.ts'
import { addResultMetadata } from '../result-metadata.ts'
import type { ModernExchange } from './exchange.ts'

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'
const LIST_FILTERS = [
  ['tools', 'toolsListChanged'],
  ['prompts', 'promptsListChanged'],
  ['resources', 'resourcesListChanged'],
] as const

/** What a subscription gets: topics, see `topicOf`, and what extensions deliver. */
type Accepted = {
  readonly topics: readonly string[]
  readonly uris: readonly string[]
  readonly extended: readonly ExtendedPart[]
  /** Ends what another server was asked to tell. */
  readonly releases: readonly (() => void)[]
}

type ExtendedPart = {
  readonly member: string
  readonly subscription: ExtensionSubscription
  readonly request: ServedRequest
}

/** The open `subscriptions/listen` of one server (2026-07-28, Subscriptions). */
export class Subscriptions {
  readonly #core: ServerCore
  readonly #open = new Map<ModernExchange, { readonly accepted: Accepted; readonly row: RevisionRow }>()
  /** Who learns of which topic. */
  readonly #listeners = new Map<string, Set<ModernExchange>>()
  readonly #turns = new InTurns()
  readonly #stopListening: () => void

  constructor(core: ServerCore) {
    this.#core = core
    this.#stopListening = core.changes.listen((announcement) => {
      this.#announce(announcement)
    })
  }

  /**
   * Acknowledges the subset that is supported, then keeps the exchange open; an empty subset is finished at once.
   * Throws a `ProtocolError` for an invalid filter, one of an extension that the client does not declare, or when
   * too many are open.
   */
  serve(exchange: ModernExchange, row: RevisionRow, facts: RequestFacts): void {
    const filter = readFilter(exchange.message.params?.['notifications'])
    const { listens } = this.#core.limits
    if (this.#open.size >= listens) {
      throw new ProtocolError(
        ErrorCode.internalError,
        `${listens} subscriptions are open already (limit listens); close one first`,
        { limit: 'listens', value: listens },
      )
    }
    const capabilities = this.#core.capabilities('modern')
    const lists = LIST_FILTERS.filter(
      ([kind, member]) => filter[member] === true && announcesChanges(capabilities, kind),
    )
    const asked = filter.resourceSubscriptions ?? []
    if (asked.length > listens) {
      throw new ProtocolError(
        ErrorCode.invalidParams,
        `notifications.resourceSubscriptions names ${asked.length} resources; expected at most ${listens} (limit listens)`,
      )
    }
    const uris = announcesUpdates(capabilities) ? asked : []
    const extended = this.#openExtended(filter, exchange, facts)
    const part = { lists, uris, extended, releases: [] }
    const { upstream: upstream } = this.#core.registry
    if (upstream === undefined || uris.length === 0) this.#begin(exchange, row, part)
    else {
      void subscribedUpstream(upstream, uris).then((there) => {
        this.#begin(exchange, row, { ...part, ...there })
      })
    }
  }

  #begin(exchange: ModernExchange, row: RevisionRow, { lists, uris, extended, releases }: Granted): void {
    if (exchange.over) {
      for (const release of releases) release()
      return
    }
    exchange.send(
      encodeNotification(ACKNOWLEDGED, {
        notifications: {
          ...Object.fromEntries(lists.map(([, member]) => [member, true])),
          ...(uris.length === 0 ? {} : { resourceSubscriptions: uris }),
          ...Object.fromEntries(extended.map(({ member, subscription }) => [member, subscription.accepted])),
        },
        _meta: tag(exchange),
      }),
    )
    if (lists.length === 0 && uris.length === 0 && extended.length === 0) {
      this.#finish(exchange, row)
      return
    }
    const topics = [...lists.map(([kind]) => listTopic(kind)), ...uris.map(resourceTopic)]
    this.#open.set(exchange, { accepted: { topics, uris, extended, releases }, row })
    exchange.client?.subscribe(uris)
    for (const topic of topics) this.#listenersOf(topic).add(exchange)
    exchange.dropParams()
    exchange.leads({
      cancel: () => {
        this.#close(exchange)
      },
    })
    exchange.onFinish(() => {
      this.#finish(exchange, row)
    })
    for (const { subscription } of extended) subscription.begin()
  }

  close(): void {
    this.#turns.finish()
    for (const [exchange, { row }] of [...this.#open]) this.#finish(exchange, row)
    this.#stopListening()
  }

  /** The parts of a filter that extensions deliver; whatever they send carries the subscription's id. */
  #openExtended(filter: JsonObject, exchange: ModernExchange, facts: RequestFacts): readonly ExtendedPart[] {
    const parts: ExtendedPart[] = []
    for (const [member, asked] of Object.entries(filter)) {
      const claimed = this.#core.extensions.filter(member, 'modern')
      if (claimed === undefined) continue
      const { extension, value } = claimed
      if (!declares(facts.clientCapabilities, extension)) {
        throw missingExtension(extension, `the filter "${member}"`)
      }
      const tagged: RequestFacts = {
        ...facts,
        send: (method, params) => {
          const meta = isJsonObject(params['_meta']) ? params['_meta'] : {}
          facts.send(method, { ...params, _meta: { ...meta, ...tag(exchange) } })
        },
      }
      const request = servedBy(extension, tagged)
      const subscription = value.open(asked, request)
      if (subscription !== undefined) parts.push({ member, subscription, request })
    }
    return parts
  }

  #announce({ change, method }: Announcement): void {
    const params = change.type === 'updated' ? { uri: change.uri } : {}
    const concerned = [...(this.#listeners.get(topicOf(change)) ?? [])]
    const encode = idNotificationEncoder(method, params, MetaKey.subscriptionId)
    this.#turns.each(concerned, (exchange) => {
      if (this.#open.has(exchange)) exchange.send(encode(exchange.message.id))
    })
  }

  #finish(exchange: ModernExchange, row: RevisionRow): void {
    this.#close(exchange)
    const result = addResultMetadata(this.#core.info, row, { _meta: tag(exchange) }, false)
    exchange.answer({ type: 'result', result })
  }

  #close(exchange: ModernExchange): void {
    const open = this.#open.get(exchange)
    this.#open.delete(exchange)
    for (const topic of open?.accepted.topics ?? []) {
      const listeners = this.#listenersOf(topic)
      listeners.delete(exchange)
      if (listeners.size === 0) this.#listeners.delete(topic)
    }
    for (const release of open?.accepted.releases ?? []) release()
    exchange.client?.unsubscribe(open?.accepted.uris ?? [])
    for (const { subscription, request } of open?.accepted.extended ?? []) {
      request.end('the subscription is over', true)
      subscription.end()
    }
  }

  #listenersOf(topic: string): Set<ModernExchange> {
    const known = this.#listeners.get(topic)
    if (known !== undefined) return known
    const listeners = new Set<ModernExchange>()
    this.#listeners.set(topic, listeners)
    return listeners
  }
}

type Granted = {
  readonly lists: readonly (typeof LIST_FILTERS)[number][]
  readonly uris: readonly string[]
  readonly extended: readonly ExtendedPart[]
  readonly releases: readonly (() => void)[]
}

/** The resources whose changes the server behind the registry tells, and what ends that. */
async function subscribedUpstream(
  upstream: Upstream,
  uris: readonly string[],
): Promise<Pick<Granted, 'uris' | 'releases'>> {
  const settled = await Promise.allSettled(uris.map((uri) => upstream.subscribe(uri)))
  return {
    uris: uris.filter((_uri, index) => settled[index]?.status === 'fulfilled'),
    releases: settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
  }
}

/** What a client asks for: a filter whose own members have their types; those of extensions are theirs to read. */
type Filter = JsonObject & { readonly resourceSubscriptions?: readonly string[] }

function readFilter(filter: unknown): Filter {
  if (!isJsonObject(filter)) throw illTyped('', 'an object')
  for (const [, member] of LIST_FILTERS) {
    const asked = filter[member]
    if (asked !== undefined && typeof asked !== 'boolean') throw illTyped(`.${member}`, 'true or false')
  }
  const { resourceSubscriptions, ...rest } = filter
  if (resourceSubscriptions === undefined) return rest
  if (!isStrings(resourceSubscriptions)) throw illTyped('.resourceSubscriptions', 'an array of URIs')
  return { ...rest, resourceSubscriptions }
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function illTyped(member: string, expected: string): ProtocolError {
  return new ProtocolError(
    ErrorCode.invalidParams,
    `subscriptions/listen takes ${expected} in params.notifications${member}`,
  )
}

function topicOf(change: RegistryChange): string {
  return change.type === 'list' ? listTopic(change.kind) : resourceTopic(change.uri)
}

function listTopic(kind: string): string {
  return `list of ${kind}`
}

function resourceTopic(uri: string): string {
  return `resource ${uri}`
}

/** The id keeps its type, so that a number stays a number. */
function tag(exchange: ModernExchange): JsonObject {
  return { [MetaKey.subscriptionId]: exchange.message.id }
}
