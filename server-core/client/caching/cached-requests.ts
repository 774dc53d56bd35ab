import type { JsonObject } from '../../protocol/json.ts'
import type { JsonRpcNotification } from '../../protocol/messages.ts'
import { PeerError, RequestFailedError } from '../errors.ts'
import type { CachedResult, CacheOwner, ResultCache } from './result-cache.ts'
import type { ListKind } from '../../protocol/list-kind.ts'

/** The methods whose results say how long they may be kept. */
const CACHEABLE: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
])

/** The lists that a notice of a change is about. */
const LISTS_OF: Readonly<Record<ListKind, readonly string[]>> = {
  tools: ['tools/list'],
  prompts: ['prompts/list'],
  resources: ['resources/list', 'resources/templates/list'],
}

/** `use`: a fresh stored result is used. `refresh`: requested again and stored. `off`: neither used nor stored. */
export type CacheUse = 'use' | 'refresh' | 'off'

/** That a result came from the cache, and how old it is. */
export type FromCache = {
  readonly receivedAt: number
  readonly ttlMs: number
  readonly scope: 'public' | 'private'
  /** It is older than it should be, and was taken because the server could not be asked. */
  readonly isStale: boolean
}

type Answered = { readonly result: JsonObject; readonly bytes: Uint8Array }

/** The requests of one connection whose results may be kept (2026-07-28, utilities: caching). */
export class CachedRequests {
  readonly #cache: ResultCache
  readonly #owner: () => CacheOwner

  constructor(cache: ResultCache, owner: () => CacheOwner) {
    this.#cache = cache
    this.#owner = owner
  }

  static concern(method: string): boolean {
    return CACHEABLE.has(method)
  }

  /**
   * Returns a fresh result that was kept, or asks and keeps what comes. Results of several rounds are never kept.
   *
   * @param ask sends the request, and says whether it took more than one round
   * @param mayBeStale a stale result is better than a failure to ask: of the transport or in time, not the server's error
   */
  async request(
    method: string,
    params: JsonObject | undefined,
    use: CacheUse,
    mayBeStale: boolean,
    ask: () => Promise<Answered & { readonly inRounds: boolean }>,
  ): Promise<Answered & { readonly fromCache?: FromCache }> {
    const { _meta: _, ...asked } = params ?? {}
    const before = this.#owner()
    const { generation: season } = this.#cache
    const found = use === 'use' ? this.#cache.look(before, method, asked) : undefined
    if (found?.isFresh === true) return fromCache(found.kept, false)
    try {
      const { result, bytes, inRounds } = await ask()
      // An authorization that changed while the request was under way may be that of another person.
      const owner = this.#owner()
      const isSame = owner.authorization === before.authorization
      if (use !== 'off' && !inRounds && isSame)
        this.#cache.keep(owner, method, asked, season, { result, bytes })
      return { result, bytes }
    } catch (error) {
      const isFailure = error instanceof RequestFailedError && error.code !== 'cancelled'
      const isUnable = isFailure || (error instanceof PeerError && (error.httpStatus ?? 0) >= 500)
      if (found !== undefined && mayBeStale && isUnable) return fromCache(found.kept, true)
      throw error
    }
  }

  /** Keeps a result that was asked for elsewhere just now, as far as it says that it may be kept. */
  keep(method: string, params: JsonObject, answer: Answered): void {
    this.#cache.keep(this.#owner(), method, params, this.#cache.generation, answer)
  }

  /** Drops what a notice says has changed. */
  notification({ method, params }: JsonRpcNotification): void {
    if (method === 'notifications/resources/updated') {
      const uri = params?.['uri']
      if (typeof uri === 'string') this.resourceUpdated(uri)
      return
    }
    const [, list] = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method) ?? []
    if (list !== undefined) this.listChanged(list as ListKind)
  }

  listChanged(list: ListKind): void {
    this.#cache.invalidate(this.#owner().server, LISTS_OF[list], () => true)
  }

  /** Drops the reads of a resource, and of those above it, which may contain it. */
  resourceUpdated(uri: string): void {
    this.#cache.invalidate(this.#owner().server, ['resources/read'], ({ uri: read }) => {
      if (typeof read !== 'string') return false
      return read === uri || uri.startsWith(read.endsWith('/') ? read : `${read}/`)
    })
  }

  /** Drops what may have changed without a notice. */
  missed({ lists, uris }: { readonly lists: readonly ListKind[]; readonly uris: readonly string[] }): void {
    for (const list of lists) this.listChanged(list)
    for (const uri of uris) this.resourceUpdated(uri)
  }

  /** Drops all pages of a list: one of its cursors failed. */
  dropList(method: string): void {
    this.#cache.invalidate(this.#owner().server, [method], () => true)
  }
}

function fromCache(kept: CachedResult, isStale: boolean): Answered & { readonly fromCache: FromCache } {
  const { result, bytes, receivedAt, ttlMs, scope } = kept
  return { result, bytes, fromCache: { receivedAt, ttlMs, scope, isStale } }
}
