import type { Check } from '../../check.ts'
import { publicLeak } from './public-results.ts'
import { cacheFreshness, cacheInvalidated, cacheKey, cacheNoRounds, cachePolling } from './client-cache.ts'
import { cacheHints, cacheRepeats, pagesScope } from './server-hints.ts'

/** The checks of the area `caching`. */
export const CACHING_CHECKS: readonly Check[] = [
  cacheHints,
  pagesScope,
  cacheRepeats,
  cacheKey,
  cacheFreshness,
  cacheNoRounds,
  cacheInvalidated,
  cachePolling,
  publicLeak,
]
