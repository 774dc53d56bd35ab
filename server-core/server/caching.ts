import type { CacheHints } from '../registry/entries.ts'

/** What clients may keep: `server/discover` and the four lists (2026-07-28, Caching). */
export type Caching = {
  readonly discover: CacheHints
  readonly tools: CacheHints
  readonly prompts: CacheHints
  readonly resources: CacheHints
  readonly resourceTemplates: CacheHints
}

/** For what may change at any time, or differ between callers. */
export const UNCACHED: CacheHints = { ttlMs: 0, scope: 'private' }

/**
 * The hints of a server, `UNCACHED` where the author gives none. Every page of a list has the list's hints. Throws a
 * `RangeError` for a `ttlMs` that is not a whole number from 0, or an invalid `scope`.
 */
export function cachingOf(given: Partial<Caching> = {}): Caching {
  for (const [name, hints] of Object.entries(given)) {
    const { ttlMs, scope } = hints
    if (!Number.isSafeInteger(ttlMs) || ttlMs < 0) {
      throw new RangeError(`caching.${name}.ttlMs is ${ttlMs}; expected whole milliseconds from 0`)
    }
    if (!['public', 'private'].includes(scope)) {
      throw new RangeError(
        `caching.${name}.scope is ${JSON.stringify(scope)}; expected "public" or "private"`,
      )
    }
  }
  return {
    discover: UNCACHED,
    tools: UNCACHED,
    prompts: UNCACHED,
    resources: UNCACHED,
    resourceTemplates: UNCACHED,
    ...given,
  }
}
