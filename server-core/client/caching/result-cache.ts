import type { JsonObject } from '../../protocol/json.ts'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'

/** Whose result is meant: the server, who asks it, and what the asking client declares. */
export type CacheOwner = {
  readonly server: string
  /** Names the authorization the request goes out with; empty without one. */
  readonly authorization: string
  readonly capabilities: JsonObject
}

export type CachedResult = {
  readonly result: JsonObject
  readonly bytes: Uint8Array
  /** Epoch milliseconds at which it came. */
  readonly receivedAt: number
  /** Milliseconds for which it is fresh, from then on. */
  readonly ttlMs: number
  readonly scope: 'public' | 'private'
}

type Entry = CachedResult & { readonly server: string; readonly method: string; readonly params: JsonObject }

/** Milliseconds for which nothing is taken for fresh any more, whatever its server says. */
const LONGEST_TTL_MS = 24 * 3_600_000

/**
 * Results that servers let their clients keep (2026-07-28, utilities: caching). One cache may serve many connections: a
 * result for everybody is found by all who ask the same server for the same, a private one only by the same
 * authorization. Stale results stay until room is needed, for whoever takes them when the server fails.
 */
export class ResultCache {
  readonly #entries = new Map<string, Entry>()
  readonly #maxBytes: number
  readonly #now: () => number
  #bytes = 0
  /** Grows with every invalidation: a result that was asked for before one is not kept after it. */
  #generation = 0

  /** @param maxBytes of messages, all together; those that were used last stay */
  constructor({
    maxBytes = DEFAULT_LIMITS.cacheBytes,
    now = Date.now,
  }: { maxBytes?: number; now?: () => number } = {}) {
    this.#maxBytes = maxBytes
    this.#now = now
  }

  get generation(): number {
    return this.#generation
  }

  /** What was kept of a request, and whether it is fresh. */
  look(
    owner: CacheOwner,
    method: string,
    params: JsonObject,
  ): { readonly kept: CachedResult; readonly isFresh: boolean } | undefined {
    for (const scope of ['private', 'public'] as const) {
      const key = keyOf(owner, scope, method, params)
      const kept = this.#entries.get(key)
      if (kept === undefined) continue
      this.#entries.delete(key)
      this.#entries.set(key, kept)
      return { kept, isFresh: this.#now() < kept.receivedAt + kept.ttlMs }
    }
    return undefined
  }

  /**
   * Keeps a complete result that was asked for in the given season, as long as its `ttlMs` says. All pages of a list
   * have one scope: a page whose first is private is private.
   */
  keep(
    owner: CacheOwner,
    method: string,
    params: JsonObject,
    generation: number,
    answer: { readonly result: JsonObject; readonly bytes: Uint8Array },
  ): void {
    const { ttlMs, cacheScope } = answer.result
    const bothKeys = (['private', 'public'] as const).map((scope) => keyOf(owner, scope, method, params))
    for (const key of bothKeys) this.#drop(key)
    const isKept = typeof ttlMs === 'number' && ttlMs > 0
    if (!isKept || generation !== this.#generation || answer.bytes.length > this.#maxBytes) return
    const isPublic = cacheScope === 'public' && !this.#isPageOfPrivate(owner, method, params)
    const scope = isPublic ? 'public' : 'private'
    this.#entries.set(keyOf(owner, scope, method, params), {
      ...answer,
      receivedAt: this.#now(),
      ttlMs: Math.min(ttlMs, LONGEST_TTL_MS),
      scope,
      server: owner.server,
      method,
      params,
    })
    this.#bytes += answer.bytes.length
    for (const [oldest] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break
      this.#drop(oldest)
    }
  }

  /** Drops what a server's results of some methods were, for everybody who asks it. */
  invalidate(server: string, methods: readonly string[], concerns: (params: JsonObject) => boolean): void {
    this.#generation += 1
    for (const [key, entry] of [...this.#entries]) {
      if (entry.server === server && methods.includes(entry.method) && concerns(entry.params)) this.#drop(key)
    }
  }

  #isPageOfPrivate(owner: CacheOwner, method: string, params: JsonObject): boolean {
    if (params['cursor'] === undefined) return false
    const { cursor: _cursor, ...first } = params
    return this.#entries.has(keyOf(owner, 'private', method, first))
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#bytes -= entry.bytes.length
  }
}

/** What a client declares is part of the request; who it is only of private results. */
function keyOf(owner: CacheOwner, scope: 'public' | 'private', method: string, params: JsonObject): string {
  const { server, authorization, capabilities } = owner
  const who = scope === 'public' ? null : authorization
  return JSON.stringify([scope, server, who, capabilities, method, params])
}
